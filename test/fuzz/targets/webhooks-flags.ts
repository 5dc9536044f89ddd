/**
 * Command lines of `confab-webhooks sign`, `verify` and `detect`: refused in lines without the secret, or headers that
 * `verify` accepts with the same flags, and in which `detect` finds a signature that `verify` accepts.
 */
import { run } from '../../../packages/webhooks/src/cli/run.ts';
import { assert, checkHidden, checkMessage, define, fc, near, piece, same } from '../kit.ts';

const SECRET = 'c2VjcmV0IG9mIHRoZSBmdXp6aW5nIHRhcmdldHM=';
const BODY = Buffer.from('{"event":"lead.moved","data":{"to":"won"}}');

const runWith = async (args: readonly string[]) => {
  const printed: string[] = [];
  const warned: string[] = [];
  const env = { CONFAB_WEBHOOK_SECRET: SECRET };
  const io = {
    env,
    print: (line: string) => void printed.push(line),
    stdin: async () => BODY,
    stopped: async () => {},
  };
  const code = await run(args, io, (line) => void warned.push(line));
  return { code, printed, warned };
};

const EXAMPLES = [
  'sign|--header|x-sig|--encoding=base64url|--prefix=sha256=',
  'sign|--scheme|standard-webhooks|--header-prefix=svix',
  'sign|--scheme=timestamped|--header=stripe-signature|--delimiter=; |--signature-field=s|--secret-encoding=base64',
  'sign|--header=x-sig|--timestamp-header=x-time|--separator=:',
  'verify|--header=x-sig|-H|x-sig: 9f86|-',
  `detect|-H|x-time: 1769860800|-H|x-sig: ${'9f86d081'.repeat(8)}`,
  // A past finding.
  'sign|--header=|--timestamp-header=x-t`me|--header=|--header=x-t`me|-',
].map((line) => line.split('|'));
const TOKENS = [
  ...'--header --encoding --prefix --scheme --separator --delimiter --timestamp-field --secret --help -- -'.split(
    ' ',
  ),
  ...'--separator=! --delimiter=& --timestamp-field=ts --encoding=hex --secret-encoding=hex --header-prefix=x'.split(
    ' ',
  ),
  ...'--timestamp=1769860800 --id --id=msg_1 --tolerance=5 --secret=0123456789abcdef'.split(' '),
  ...EXAMPLES.flat(),
];

/** Whether an argument could name a file, which the command would read. */
const isFile = (arg: string): boolean => arg !== '-' && /[./~]/.test(arg) && !arg.startsWith('-');

/** What `detect` can't find: senders may sign with any separator, but it can't try everything. */
const isUnusual = (arg: string): boolean =>
  /^--(?:separator|delimiter|header-prefix|timestamp-field|signature-field)(?:$|=(?![.:|,;&]?$|[\w-]+$))/.test(
    arg,
  ) || /^--separator=[,;&\w-]|^--delimiter=(?:[.:\w-]|$)|(?:prefix|field)=[^\w-]/.test(arg);

/** Checks that `detect` finds the signature that `sign` printed, and that `verify` accepts what it found. */
const checkDetected = async (args: readonly string[], headers: readonly string[]): Promise<void> => {
  const secret = args.filter((arg) => arg.startsWith('--secret='));
  const { code, printed } = await runWith(['detect', ...headers, ...secret]);
  const [, found = ''] = /^found: signature: (.*)$/.exec(printed[0] ?? '') ?? [];
  assert.ok(code === 0 && found !== '', `detect does not find what sign printed: ${printed}`);
  // The last flag counts.
  const [, scheme = 'plain'] = /.*--scheme[=\n]([^\n]*)/s.exec(args.join('\n')) ?? [];
  const calls = { 'standard-webhooks': 'standardWebhooks(', timestamped: 'timestamped(', plain: '{' };
  assert.ok(found.startsWith(Reflect.get(calls, scheme)), `detect takes ${args} for ${found}`);
  if (scheme === 'plain') {
    const { timestamp, ...plain } = JSON.parse(found);
    const timed = timestamp && { 'timestamp-header': timestamp.header, separator: timestamp.separator };
    const flags = Object.entries({ ...plain, ...timed }).map(([name, value]) => `--${name}=${value}`);
    const encoding = args.filter((arg) => arg.startsWith('--secret-encoding='));
    const verified = await runWith(['verify', ...headers, ...flags, ...secret, ...encoding]);
    same([verified.code, verified.warned], [0, []], 'verify with what detect found');
  }
};

export const target = define(
  near(EXAMPLES, fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...TOKENS) }, piece(TOKENS, 3))),
  async ([command = '', ...args]) => {
    if (!['sign', 'verify', 'detect'].includes(command) || args.some(isFile) || args.includes('--secret')) {
      return;
    }
    const { code, printed, warned } = await runWith([command, ...args]);
    assert.ok(code !== 2 || (printed.length === 0 && warned.length === 1), 'a refusal is not one message');
    warned.map((line) => checkMessage(line, [SECRET]));
    checkHidden(printed.join('\n'), [SECRET]);
    // The help has several lines.
    assert.doesNotMatch(printed.join('').replaceAll('\n', ''), /[\p{Cc}\p{Bidi_Control}]/u);
    const isHelp = /^confab-webhooks|^\d+\.\d+/.test(printed[0] ?? '');
    // Control characters are printed escaped, and no header may have them. A name with a dash first is read as a flag.
    const isPlain = !/[\p{C}\p{Z}]/u.test(args.join('')) && !printed.some((line) => line.startsWith('-'));
    // `verify` has no such flags, and their time may be long ago.
    const isNow = !args.some((arg) => /^--(?:timestamp|id)(?:=|$)/.test(arg));
    if (command === 'sign' && code === 0 && !isHelp && isPlain && isNow) {
      const headers = printed.flatMap((line) => ['-H', line]);
      const verified = await runWith(['verify', ...headers, ...args]);
      const hasTolerance = args.some((arg) => arg.startsWith('--tol'));
      const genuine = [0, ['genuine: lead.moved (an event without a schema)'], []];
      same(
        hasTolerance ? genuine : [verified.code, verified.printed, verified.warned],
        genuine,
        'verify refuses what sign printed',
      );
      if (!args.some(isUnusual)) {
        await checkDetected(args, headers);
      }
    }
  },
  EXAMPLES,
);
