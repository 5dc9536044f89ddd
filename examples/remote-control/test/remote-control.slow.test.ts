import { join } from 'node:path';
import { runProcess } from '@confab/internal/test-support';
import { createMock } from '@confab/mock';
import { connectMock } from '@confab/mock/remote';
import { serve } from '@confab/mock/server';
import { describe, expect, test } from 'vitest';

const source = (name: string) => join(import.meta.dirname, '../src', name);

describe.each([
  {
    name: 'the Python program',
    run: (url: string) => runProcess('python3', [source('drive.py'), url]),
    last: ['webhooks: message.created Hello delivered (unsigned: 401)'],
  },
  {
    name: 'the shell script',
    run: (url: string) => runProcess(source('drive.sh'), [url]),
    last: ['inbound: Hello', 'requests: verified'],
  },
])('$name', ({ run, last }) => {
  test('works in a world of its own, and deletes that world at the end', { timeout: 300_000 }, async () => {
    await using server = await serve(createMock());
    const remote = await connectMock(server.url);
    expect(await run(server.url)).toEqual({
      code: 0,
      lines: ['rows: Ana', 'faults: 503 200', 'clock: 429, 200 after 60 s', ...last],
      errors: '',
    });
    expect(await remote.worlds.list()).toEqual([]);
    // Every request went to the world.
    expect(await remote.requests.length()).toBe(0);
  });

  test('fails with the reason if the server requires a token', { timeout: 300_000 }, async () => {
    await using server = await serve(createMock(), { adminToken: 'a_token_that_it_does_not_know' });
    const { code, lines, errors } = await run(server.url);
    expect(code).not.toBe(0);
    expect(`${lines.join()}${errors}`).toContain('token');
  });
});
