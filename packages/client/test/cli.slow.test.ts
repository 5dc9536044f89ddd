import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ids, KEY, lead } from './support/data.ts';
import { pagesOf, rowOf } from './support/list.ts';
import { hang, reachable, startServer, success } from './support/server.ts';

const binary = fileURLToPath(new URL('../src/cli/confab.ts', import.meta.url));
const node = [process.execPath, '--conditions=@confab/source', binary];
const terminal = fileURLToPath(new URL('./support/terminal.py', import.meta.url));

interface Options {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

const runProcess = async (
  [command = '', ...args]: readonly string[],
  { env = {}, input = '' }: Options = {},
) => {
  const child = spawn(command, args, { env: { PATH: process.env.PATH, TERM: 'xterm', ...env } });
  child.stdin.on('error', () => {}).end(input);
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, out, err };
};

const confab = (args: readonly string[], options?: Options) => runProcess([...node, ...args], options);

/** Runs the command in a terminal of 100 columns. Types the text when the command asks for something. */
const inTerminal = (args: readonly string[], options: Options = {}) =>
  runProcess(['python3', terminal, ...node, ...args], options);

test('--mock calls a mock in memory, whose ids are the same each time', async () => {
  const first = await confab(['leads', 'list', '--mock', '--limit', '1']);
  expect(first).toMatchObject({ code: 0, err: expect.stringMatching(/^1 row of \d+\./) });
  const { id } = JSON.parse(first.out);
  const second = await confab(['leads', 'get', id, '--mock']);
  expect(JSON.parse(second.out).id).toBe(id);
});

test('without the package of the mock, --mock says how to install it', async () => {
  const hooks = `import { registerHooks } from 'node:module';
registerHooks({
  resolve(name, context, next) {
    if (name === '@confab/mock') {
      throw Object.assign(new Error("Cannot find package '@confab/mock'"), { code: 'ERR_MODULE_NOT_FOUND' });
    }
    return next(name, context);
  },
});`;
  const [command = '', ...args] = node;
  const preload = `data:text/javascript,${encodeURIComponent(hooks)}`;
  const { code, err } = await runProcess([command, '--import', preload, ...args, 'agents', 'list', '--mock']);
  expect(err).toMatch(/^confab: --mock needs the package @confab\/mock. Install it with npm install/);
  expect(code).toBe(2);
});

test('a terminal shows a table, in bold letters unless NO_COLOR is set', async () => {
  const { code, out } = await inTerminal(['leads', 'list', '--mock', '--limit', '2']);
  expect(code).toBe(0);
  expect(out.startsWith('\u001b[1mid')).toBe(true);
  expect(out).toContain('2 rows of');
  for (const line of out.split('\n')) {
    expect(stripVTControlCharacters(line).trimEnd().length).toBeLessThanOrEqual(100);
  }
  const plain = await inTerminal(['leads', 'list', '--mock', '--limit', '2'], { env: { NO_COLOR: '1' } });
  expect(plain.out).not.toContain('\u001b');
});

describe.runIf(reachable)('with a server', () => {
  test('the terminal prompts for the key without showing it', async () => {
    const { url, arrivals } = await startServer(success(lead));
    const { code, out } = await inTerminal(['leads', 'get', ids.lead, '--base-url', url], {
      input: `${KEY}\r`,
    });
    expect(code).toBe(0);
    expect(out).toMatch(/^API key: \r?\n/);
    expect(out).toContain(lead.phone);
    expect(out).not.toContain(KEY);
    expect(arrivals[0]?.headers['x-api-key']).toBe(KEY);
  });

  test('Ctrl+C at the prompt ends the command with exit code 130, as during a call', async () => {
    const { url, arrived } = await startServer(hang);
    const asked = await inTerminal(['leads', 'get', ids.lead, '--base-url', url], { input: '\u0003' });
    expect(asked.code).toBe(130);

    const env = { CONFAB_BASE_URL: url, CONFAB_API_KEY: KEY };
    const [command = '', ...args] = node;
    const child = spawn(command, [...args, 'leads', 'get', ids.lead], { env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    await arrived(1);
    child.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
  });

  /** Serves 3,000 leads, of which a page is more than a pipe holds. */
  const serveLongList = async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) =>
      rowOf(index, { displayName: 'x'.repeat(2_000) }),
    );
    const { url, arrivals } = await startServer(pagesOf(rows));
    const pages = () => arrivals.filter(({ headers }) => headers['x-api-key'] === KEY).length;
    return { url, pages, env: { CONFAB_BASE_URL: url, CONFAB_API_KEY: KEY } };
  };

  test('a reader that stops early, as head does, ends the command quietly', async () => {
    const { env, pages } = await serveLongList();
    const command = `${node.map((word) => `'${word}'`).join(' ')} leads list --all | head -n 1`;
    const { code, out, err } = await runProcess(['bash', '--norc', '-c', `set -o pipefail; ${command}`], {
      env,
    });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject(rowOf(0, { displayName: 'x'.repeat(2_000) }));
    expect(pages()).toBeLessThan(30);
  });

  test('a list of any length is read no faster than its reader accepts it', async () => {
    const { url, env, pages } = await serveLongList();
    const [command = '', ...args] = node;
    const child = spawn(command, [...args, 'leads', 'list', '--all'], { env });
    await once(child.stdout, 'readable');
    // As many requests as the command would have sent by now, if it did not wait.
    for (let count = 0; count < 60; count += 1) {
      await (await fetch(`${url}/api/v2/public/leads?limit=100&offset=0`)).arrayBuffer();
    }
    expect(pages()).toBeLessThan(10);
    const out = await text(child.stdout);
    expect(out.trimEnd().split('\n')).toHaveLength(3_000);
    expect(pages()).toBeGreaterThan(30);
  });
});
