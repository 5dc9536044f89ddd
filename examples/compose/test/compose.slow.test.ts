import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@confab/internal/test-support';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';

const HERE = join(import.meta.dirname, '..');
const ROOT = join(HERE, '../..');

interface Service {
  readonly build: { readonly context: string; readonly dockerfile: string };
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly healthcheck?: { readonly test: readonly string[] };
}

const { services } = parse(readFileSync(join(HERE, 'compose.yaml'), 'utf8'), { merge: true }) as {
  services: Readonly<Record<string, Service>>;
};

/** The instructions of the Dockerfile, each with its arguments. */
const instructions = readFileSync(join(HERE, 'Dockerfile'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(' '));

const argumentsOf = (name: string): string[][] =>
  instructions.filter(([instruction]) => instruction === name).map(([, ...rest]) => rest);

/** Programs start slowly on a busy machine. */
const START = { withinMs: 20_000 };

/** Loopback addresses that no other program on this machine uses. */
const addresses = Object.fromEntries(
  Object.keys(services).map((name, index) => [name, `127.${process.pid % 200}.${index + 1}.7`]),
);

const programOf = (
  name: string,
  command: readonly string[],
  stderr: 'inherit' | 'ignore' = 'inherit',
): ChildProcess => {
  const [program = '', ...args] = command;
  expect(program).toBe('node');
  return spawn(process.execPath, [`--import=${join(import.meta.dirname, 'support/network.ts')}`, ...args], {
    cwd: HERE,
    env: {
      ...services[name]?.environment,
      PATH: process.env.PATH ?? '',
      HOSTS: JSON.stringify({ ...addresses, localhost: addresses[name] }),
      OWN_ADDRESS: addresses[name],
    },
    stdio: ['ignore', 'pipe', stderr],
  });
};

const start = (name: string): { output: () => string } => {
  const child = programOf(name, services[name]?.command ?? []);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await once(child, 'close');
  });
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  return { output: () => output };
};

test('the Dockerfile copies existing files, and runs a supported Node as a user without privileges', () => {
  expect(argumentsOf('FROM')).toEqual([[expect.stringMatching(/^node:24-/)]]);
  for (const sources of argumentsOf('COPY')) {
    for (const source of sources.slice(0, -1)) {
      expect([source, existsSync(join(ROOT, source))]).toEqual([source, true]);
    }
  }
  const manifest = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8')) as { name: string };
  expect(argumentsOf('RUN').flat()).toContain(`"${manifest.name}..."`);
  expect(argumentsOf('USER')).toEqual([['node']]);
  expect(argumentsOf('WORKDIR').at(-1)).toEqual(['/repository/examples/compose']);
  expect(JSON.parse(argumentsOf('CMD')[0]?.join(' ') ?? '')).toEqual(services.app?.command);
});

test('the services of the compose file, run as processes, work together', async () => {
  for (const { build, depends_on = {} } of Object.values(services)) {
    expect(existsSync(join(HERE, build.context, build.dockerfile))).toBe(true);
    expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(depends_on)));
  }
  start('mock');
  const receiver = start('receiver');
  await eventually(async () => {
    const [, ...check] = services.mock?.healthcheck?.test ?? [];
    const [code] = await once(programOf('mock', check, 'ignore'), 'exit');
    expect(code).toBe(0);
  }, START);
  start('app');

  const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(url, { method: 'POST', body: JSON.stringify(body), headers });
  await eventually(async () => {
    const response = await post(`http://${addresses.app}:3000/contact`, { phone: '+5511987654321' });
    expect([response.status, await response.json()]).toEqual([200, { id: expect.any(String) }]);
  }, START);
  const inbound = await post(
    `http://${addresses.mock}:4010/__mock/inbound`,
    { phone: '+5511987654321', body: 'Hello' },
    { 'x-admin-token': 'token_of_this_example' },
  );
  expect(inbound.status).toBe(200);
  await eventually(() => expect(receiver.output()).toContain('A lead wrote: Hello\n'));
});
