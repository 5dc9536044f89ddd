import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { requestWith, secret } from './support/receiver.ts';

const binary = fileURLToPath(new URL('../src/cli/confab-webhooks.ts', import.meta.url));
const start = (...args: string[]) =>
  spawn(process.execPath, [binary, ...args], { env: { CONFAB_WEBHOOK_SECRET: secret } });

test.each(['SIGINT', 'SIGTERM'] as const)('listen exits with 0 on %s', async (signal) => {
  const child = start('listen', '--port', '0', '--header', 'x-sig');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const [, url = ''] =
    /^listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec((await lines.next()).value ?? '') ?? [];
  const request = await requestWith();
  expect((await fetch(new Request(url, request))).status).toBe(200);
  expect((await lines.next()).value).toMatch(/^200 message\.created /);
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test.each([
  ['{}', ['--header', 'x-sig'], 0, /^x-sig: [0-9a-f]{64}\n$/, /^$/],
  ['', [], 2, /^$/, /^confab-webhooks: --header is missing\..*\n$/],
])(
  'sign with %j on standard input and the flags %j exits with %i',
  async (input, flags, code, out, error) => {
    const child = start('sign', ...flags);
    child.stdin.on('error', () => {}).end(input);
    const exit = once(child, 'exit');
    expect([await text(child.stdout), await text(child.stderr), await exit]).toEqual([
      expect.stringMatching(out),
      expect.stringMatching(error),
      [code, null],
    ]);
  },
);

test('a command whose output closes early, as with head, exits without an error', async () => {
  const child = start('--help');
  child.stdout.destroy();
  const [error, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect([error, code]).toEqual(['', 0]);
});

test('an unexpected error prints one line without a stack', async () => {
  const child = start('sign', '--header', 'x', '/proc/self/mem');
  const [error, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(error.trimEnd().split('\n')).toHaveLength(1);
  expect(code).toBeGreaterThan(0);
});
