import { signatureFlags } from '../../../packages/webhooks/src/cli/flags.ts';
import { run } from '../../../packages/webhooks/src/cli/run.ts';
import type { Target } from '../engine/target.ts';
import { hold, same } from '../engine/target.ts';

const SECRET = 'c2VjcmV0IG9mIHRoZSBmdXp6aW5nIHRhcmdldHM=';
const BODY = Buffer.from('{"event":"lead.moved","data":{"to":"won"}}');
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

/** Each line is an argument. Commands that use the network are left out. */
export const target: Target = {
  checks:
    'Command lines of `confab-webhooks sign`, `verify` and `detect`: refused in lines without the secret, or headers that `verify` accepts with the same flags, and that `detect` finds',
  maxBytes: 260,
  work: (bytes) => 60_000 + 3_000 * bytes,
  words: [
    ...Object.keys(signatureFlags).map((name) => `--${name}`),
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
    hold(!warned.some((line) => /[\r\n]/.test(line)), 'a message is not one line');
    const isHelp = printed.join('').startsWith('confab-webhooks') || /^\d+\.\d+/.test(printed[0] ?? '');
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
    if (args.some((arg) => arg.includes('=-'))) {
      return;
    }
    const headers = printed.flatMap((line) => ['-H', line]);
    const verified = await runWith(['verify', ...headers, ...flags]);
    const tolerance = args.some((arg) => arg.startsWith('--tol'));
    hold(
      tolerance || verified.code === 0,
      `verify refuses what sign printed: ${[...verified.printed, ...verified.warned]}`,
    );
    if (verified.code === 0) {
      same(verified.printed, ['genuine: lead.moved (an event without a schema)'], 'verified');
    }
  },
};
