import { commands, kebab } from '../../../packages/client/src/cli/commands.ts';
import { run } from '../../../packages/client/src/cli/run.ts';
import type { Target } from '../engine/target.ts';
import { hold, same } from '../engine/target.ts';

const KEY = 'confab_live_s3cr3tS3cr3tS3cr3t';
const env = { CONFAB_BASE_URL: 'https://api.example.com', CONFAB_API_KEY: KEY };

interface Written {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line that sends nothing. */
const runDry = async (args: readonly string[]): Promise<Written> => {
  const written = { out: '', err: '' };
  const outputOf = (name: keyof typeof written) => ({
    isTerminal: false,
    columns: 80,
    write: async (text: string) => {
      written[name] += text;
    },
    bold: (text: string) => text,
  });
  const io = {
    env,
    out: outputOf('out'),
    err: outputOf('err'),
    stdin: async () => '{"displayName":"from standard input"}',
    askSecret: undefined,
  };
  return { code: await run(['--dry-run', ...args], io), ...written };
};

const isShown = ({ out }: Written): boolean => out.startsWith('{"method":');

/** Each line is an argument. Arguments with `@`, which name files, are left out. */
export const target: Target = {
  checks:
    'Command lines of `confab`, sent nowhere: refused with code 2 and a message without control characters or the key, or a request that is the same when its body is passed as `--data`',
  maxBytes: 260,
  work: (bytes) => 60_000 + 3_000 * bytes,
  words: [
    ...commands.flatMap(({ resource, name, fields }) => [
      `${resource}\n${name}`,
      ...fields.map((field) => `--${kebab(field.name)}`),
    ]),
    '\n',
    '=',
    '--data',
    '--json',
    '--all',
    '-',
    KEY,
    '--api-key',
    '{"phone":"+442079460958"}',
  ],
  run: async (input) => {
    const args = Buffer.from(input).toString('utf8').split('\n');
    if (args.some((arg) => arg.includes('@'))) {
      return;
    }
    const written = await runDry(args);
    const { code, out, err } = written;
    hold(code === 0 || code === 2, `the code is ${code}: ${err}`);
    // An argument that contains the key is refused, and not repeated.
    hold(!(out + err).includes(KEY), 'the output contains the key');
    hold(!/(?!\n)[\p{Cc}\p{Bidi_Control}]/u.test(out + err), 'a control character in the output');
    if (code === 2) {
      hold(out === '' && err.endsWith('\n'), 'no message');
      return;
    }
    if (!isShown(written)) {
      return;
    }
    const { method, url, body } = JSON.parse(out) as { method: string; url: string; body?: object };
    hold(URL.canParse(url) && url.startsWith('http'), `the URL is ${url}`);
    const command = commands.find(
      ({ operation }) =>
        operation.method === method &&
        new RegExp(`${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(url.split('?')[0] ?? ''),
    );
    if (command === undefined || body === undefined) {
      return;
    }
    const params = command.operation.path
      .split('/')
      .toReversed()
      .flatMap((part, at) =>
        part.startsWith('{') ? [new URL(url).pathname.split('/').toReversed()[at] ?? ''] : [],
      );
    const again = await runDry([
      command.resource,
      command.name,
      ...params,
      '--data',
      JSON.stringify(body),
      '--base-url',
      env.CONFAB_BASE_URL,
    ]);
    same((JSON.parse(again.out) as { body: object }).body, body, 'the body by --data');
  },
};
