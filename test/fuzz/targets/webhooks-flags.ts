/**
 * Command lines of `confab-webhooks sign`, `verify` and `detect`: refused in lines without the secret, or headers that
 * `verify` accepts with the same flags, and in which `detect` finds a signature that `verify` accepts.
 */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { run } from '../../../packages/webhooks/src/cli/run.ts';
import { checkHidden, checkMessage, same } from '../checks.ts';
import { near, piece } from '../inputs.ts';
import { target as define } from '../target.ts';

const SECRET = 'c2VjcmV0IG9mIHRoZSBmdXp6aW5nIHRhcmdldHM=';
const BODY = Buffer.from('{"event":"lead.moved","data":{"to":"won"}}');

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

const EXAMPLES = [
  ['sign', '--header=x-sig'],
  ['sign', '--header', 'x-sig', '--encoding=base64url', '--prefix=sha256='],
  ['sign', '--scheme', 'standard-webhooks', '--header-prefix=svix'],
  [
    'sign',
    '--scheme=timestamped',
    '--header=stripe-signature',
    '--delimiter=; ',
    '--signature-field=s',
    '--secret-encoding=base64',
  ],
  ['sign', '--header=x-sig', '--timestamp-header=x-time', '--separator=:'],
  ['verify', '--header=x-sig', '-H', 'x-sig: 9f86', '-'],
  ['detect', '-H', 'x-time: 1769860800', '-H', `x-sig: ${'9f86d081'.repeat(8)}`],
  // A past finding.
  ['sign', '--header=', '--timestamp-header=x-t`me', '--header=', '--header=x-t`me', '-'],
];
const TOKENS = [
  ...EXAMPLES.flat(),
  ...[
    '--header',
    '--encoding',
    '--prefix',
    '--scheme',
    '--separator',
    '--delimiter',
    '--timestamp-field',
    '--tolerance',
    '--secret',
    '--help',
  ],
  ...[
    '--separator=|',
    '--delimiter=&',
    '--timestamp-field=ts',
    '--encoding=hex',
    '--secret-encoding=hex',
    '--secret=0123456789abcdef',
  ],
  ...['--timestamp=1769860800', '--id', '--id=msg_1', '--tolerance=5', '--header-prefix=x', '--', '-'],
];

/** Whether an argument could name a file, which the command would read. */
const isFile = (arg: string): boolean => arg !== '-' && /[./~]/.test(arg) && !arg.startsWith('-');

/** The last value of a flag. */
const flag = (args: readonly string[], name: string, or: string): string =>
  args
    .flatMap((arg, at) =>
      arg === `--${name}`
        ? [args[at + 1] ?? '']
        : arg.startsWith(`--${name}=`)
          ? [arg.slice(name.length + 3)]
          : [],
    )
    .at(-1) ?? or;

/** Checks that `detect` finds the signature that `sign` printed, and that `verify` accepts what it found. */
const checkDetected = async (args: readonly string[], headers: readonly string[]): Promise<void> => {
  const names = ['header-prefix', 'timestamp-field', 'signature-field'].map((name) => flag(args, name, 'x'));
  // Senders may sign with other separators, but it can't try everything.
  if (
    !['.', ':', '', '|'].includes(flag(args, 'separator', '.')) ||
    ![',', ';', '&', '|'].includes(flag(args, 'delimiter', ',')) ||
    !names.every((name) => /^[\w-]+$/.test(name))
  ) {
    return;
  }
  const secret = args.filter((arg) => arg.startsWith('--secret='));
  const { code, printed } = await runWith(['detect', ...headers, ...secret]);
  const [, found = ''] = /^found: signature: (.*)$/.exec(printed[0] ?? '') ?? [];
  assert.ok(code === 0 && found !== '', `detect does not find what sign printed: ${printed}`);
  const call = { timestamped: 'timestamped(', 'standard-webhooks': 'standardWebhooks(' }[
    flag(args, 'scheme', 'plain')
  ];
  assert.ok(call === undefined || found.startsWith(call), `detect takes it for ${found}`);
  if (call === undefined) {
    const { header, encoding, prefix, timestamp } = JSON.parse(found);
    const flags = Object.entries({
      header,
      encoding,
      prefix,
      'timestamp-header': timestamp?.header,
      separator: timestamp?.separator,
    })
      .flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]))
      .concat(
        secret,
        args.filter((arg) => arg.startsWith('--secret-encoding=')),
      );
    const verified = await runWith(['verify', ...headers, ...flags]);
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
    assert.ok([0, 1, 2].includes(code), `the code is ${code}`);
    assert.ok(code !== 2 || (printed.length === 0 && warned.length === 1), 'a refusal is not one message');
    for (const line of warned) {
      checkMessage(line, [SECRET]);
    }
    checkHidden(printed.join('\n'), [SECRET]);
    // The help has several lines.
    assert.doesNotMatch(printed.join('').replaceAll('\n', ''), /[\p{Cc}\p{Bidi_Control}]/u);
    const isHelp = /^confab-webhooks|^\d+\.\d+/.test(printed[0] ?? '');
    // Control characters are printed escaped, and no header may have them. A name with a dash first is read as a flag.
    const isPlain = !/[\p{C}\p{Z}]/u.test(args.join('')) && !printed.some((line) => line.startsWith('-'));
    // `verify` has no such flags, and their time may be long ago.
    const isNow = !args.some((arg) => /^--(?:timestamp|id)(?:=|$)/.test(arg));
    if (command !== 'sign' || code !== 0 || isHelp || !isPlain || !isNow) {
      return;
    }
    const headers = printed.flatMap((line) => ['-H', line]);
    const verified = await runWith(['verify', ...headers, ...args]);
    if (verified.code === 0) {
      same(verified.printed, ['genuine: lead.moved (an event without a schema)'], 'verified');
    } else {
      const hasTolerance = args.some((arg) => arg.startsWith('--tol'));
      assert.ok(
        hasTolerance,
        `verify refuses what sign printed: ${[...verified.printed, ...verified.warned]}`,
      );
    }
    await checkDetected(args, headers);
  },
  EXAMPLES,
);
