import { join } from 'node:path';
import { runProgram } from '@confab/internal/test-support';
import { createMock } from '@confab/mock';
import { connectMock } from '@confab/mock/remote';
import { serve } from '@confab/mock/server';
import { expect, test } from 'vitest';

const run = (url: string) => runProgram(join(import.meta.dirname, '../src/drive.sh'), [url]);

test('the shell script drives a world of its own, which is gone at the end', {
  timeout: 60_000,
}, async () => {
  await using server = await serve(createMock());
  const remote = await connectMock(server.url);
  expect(await run(server.url)).toEqual({
    code: 0,
    lines: [
      'rows: Ana',
      'faults: 503 200',
      'clock: 429, 200 after 60 s',
      'inbound: Hello',
      'requests: verified',
    ],
    errors: '',
  });
  expect(await remote.worlds.list()).toEqual([]);
  // Everything happened in the world.
  expect(await remote.requests.length()).toBe(0);
});

test('the shell script fails when the server refuses it', { timeout: 60_000 }, async () => {
  await using server = await serve(createMock(), { adminToken: 'a_token_that_it_does_not_know' });
  const { code, lines, errors } = await run(server.url);
  expect(code).not.toBe(0);
  expect(`${lines.join()}${errors}`).toContain('token');
});
