import { Command } from 'commander';
import type { Flags } from '../../../packages/webhooks/src/cli/flags.ts';
import { addSignatureFlags, addSignedFlags } from '../../../packages/webhooks/src/cli/flags.ts';
import { run } from '../../../packages/webhooks/src/cli/program.ts';
import type { Target } from '../engine/target.ts';
import { hold, same } from '../engine/target.ts';

const SECRET = 'c2VjcmV0IG9mIHRoZSBmdXp6aW5nIHRhcmdldHM=';
const BODY = Buffer.from('{"event":"lead.moved","data":{"to":"won"}}');
/** A command with the flags of `sign`. */
const signing = (): Command => addSignedFlags(addSignatureFlags(new Command('sign')));

const SIGNING = ['sign', 'verify', 'detect'];

const runWith = async (args: readonly string[]) => {
  const printed: string[] = [];
  const warned: string[] = [];
  const io = {
    env: { CONFAB_WEBHOOK_SECRET: SECRET },
    print: (line: string) => void printed.push(line),
    stdin: async () => BODY,
    stopped: async () => {},
  };
  const code = await run(args, io, (line) => void warned.push(line));
  return { code, printed, warned };
};

/** Whether an argument could name a file, which the command would read. */
const isFile = (arg: string): boolean => arg !== '-' && /[./~]/.test(arg) && !arg.startsWith('-');

const TERMINAL = /[\p{Cc}\p{Bidi_Control}]/u;

/** What `detect` tries. Other senders sign with other separators, but it can't try everything. */
const SEPARATORS = ['.', ':', '', '|'];
const DELIMITERS = [',', ';', '&', '|'];

/** Checks that `detect` finds the signature that `sign` printed, and that `verify` accepts what it found. */
const checkDetected = async (args: readonly string[], headers: readonly string[]): Promise<void> => {
  const values = signing().argument('[file]').parse(args, { from: 'user' }).opts<Flags>();
  const secret = args.filter((arg) => arg.startsWith('--secret='));
  const { scheme = 'plain', separator = '.', delimiter = ',' } = values;
  const names = [values.headerPrefix, values.timestampField, values.signatureField];
  if (
    !(SEPARATORS.includes(separator) && DELIMITERS.includes(delimiter)) ||
    !names.every((name = 'x') => /^[\w-]+$/.test(name))
  ) {
    return;
  }
  const { code, printed } = await runWith(['detect', ...headers, ...secret]);
  const [, found = ''] = /^found: signature: (.*)$/.exec(printed[0] ?? '') ?? [];
  hold(code === 0 && found !== '', `detect does not find what sign printed: ${printed}`);
  if (scheme !== 'plain') {
    const call = scheme === 'timestamped' ? 'timestamped(' : 'standardWebhooks(';
    hold(found.startsWith(call), `detect takes ${scheme} for ${found}`);
    return;
  }
  const { header, encoding, prefix, timestamp } = JSON.parse(found);
  const flags = [
    `--header=${header}`,
    `--encoding=${encoding}`,
    ...(prefix === undefined ? [] : [`--prefix=${prefix}`]),
    ...(timestamp === undefined
      ? []
      : [`--timestamp-header=${timestamp.header}`, `--separator=${timestamp.separator}`]),
    ...secret,
    ...args.filter((arg) => arg.startsWith('--secret-encoding=')),
  ];
  const { code: verified, warned } = await runWith(['verify', ...headers, ...flags]);
  same([verified, warned], [0, []], 'verify with what detect found');
};

/** Each line is an argument. Commands that use the network are left out. */
export const target: Target = {
  checks:
    'Command lines of `confab-webhooks sign`, `verify` and `detect`: refused in lines without the secret, or headers that `verify` accepts with the same flags, and in which `detect` finds a signature that `verify` accepts',
  maxBytes: 260,
  work: (bytes) => 60_000 + 3_000 * bytes,
  words: [
    ...signing().options.flatMap(({ long }) => long ?? []),
    'sign\n',
    'verify\n',
    'detect\n',
    '\n',
    '=',
    '-H',
    'x-sig',
    'standard-webhooks',
    'timestamped',
    '--timestamp=1769860800',
    '--id',
    'base64url',
    'sha256=',
  ],
  run: async (input) => {
    const [command = '', ...args] = Buffer.from(input).toString('utf8').split('\n');
    if (!SIGNING.includes(command) || args.some(isFile) || args.includes('--secret')) {
      return;
    }
    const { code, printed, warned } = await runWith([command, ...args]);
    const lines = [...printed, ...warned];
    hold([0, 1, 2].includes(code), `the code is ${code}`);
    hold(!lines.some((line) => line.includes(SECRET)), 'the output contains the secret');
    hold(code !== 2 || (printed.length === 0 && warned.length === 1), 'a refusal is not one message');
    hold(!warned.some((line) => TERMINAL.test(line)), 'a control character in a message');
    // The help has several lines.
    hold(!TERMINAL.test(printed.join('').replaceAll('\n', '')), 'a control character in the output');
    const isHelp =
      printed.join('').startsWith('Usage: confab-webhooks') || /^\d+\.\d+/.test(printed[0] ?? '');
    if (command !== 'sign' || code !== 0 || isHelp) {
      return;
    }
    // Without the values that `sign` alone has, and whatever the tolerance is, now is in time.
    const flags = args.filter((arg) => !/^--(?:timestamp|id)(?:=|$)/.test(arg));
    // Control characters are printed escaped, and no header may have them.
    if (flags.length !== args.length || /[\p{C}\p{Z}]/u.test(args.join(''))) {
      return;
    }
    // A header whose name begins with a dash is read as a flag.
    if (printed.some((line) => line.startsWith('-'))) {
      return;
    }
    const headers = printed.flatMap((line) => ['-H', line]);
    const verified = await runWith(['verify', ...headers, ...flags]);
    const tolerance = args.some((arg) => arg.startsWith('--tol'));
    hold(
      tolerance || verified.code === 0,
      `verify refuses what sign printed: ${[...verified.printed, ...verified.warned]}`,
    );
    await checkDetected(flags, headers);
    if (verified.code === 0) {
      same(verified.printed, ['genuine: lead.moved (an event without a schema)'], 'verified');
    }
  },
};
