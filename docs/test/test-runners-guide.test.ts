import { fileURLToPath } from 'node:url';
import { createClient } from '@confab/client';
import { runProgram } from '@confab/internal/test-support';
import { createMock } from '@confab/mock';
import { serve } from '@confab/mock/server';
import { expect, test } from 'vitest';
import { mockTasks } from '../../test/compat/consumers/files/cypress-tasks.ts';
import { read } from './support/repository.ts';

const GUIDE = 'docs/guides/test-runners.md';

/** Lines without their indentation, which depends on where an excerpt begins. */
const linesOf = (code: string): string => code.replaceAll(/^ +/gm, '').trim();

const excerpts = [...read(GUIDE).matchAll(/^<!-- from (\S+) -->\n```\w+\n(.*?)^```$/gms)].map(
  ([, path = '', code = '']) => [path, code] as const,
);

test('code of other runners is an excerpt of a file that these runners run', () => {
  expect(excerpts.length).toBeGreaterThan(3);
  for (const [path, code] of excerpts) {
    expect([path, linesOf(read(path))]).toEqual([path, expect.stringContaining(linesOf(code))]);
  }
});

test('the tests for node:test pass', async () => {
  const file = fileURLToPath(new URL('../../test/compat/consumers/files/node.ts', import.meta.url));
  const { code, lines } = await runProgram(process.execPath, ['--conditions=@confab/source', '--test', file]);
  expect([code, lines.filter((line) => /^. (?:pass|fail) /.test(line))]).toEqual([
    0,
    [expect.stringContaining('pass 2'), expect.stringContaining('fail 0')],
  ]);
});

test('the tasks for Cypress control a served mock', async () => {
  const mock = createMock();
  await using server = await serve(mock);
  const tasks = await mockTasks(server.url);
  const confab = createClient({ ...mock.clientOptions, retry: false });

  const lead = await tasks.createLead({ displayName: 'Ada' });
  expect(mock.leads.get(lead.id)?.displayName).toBe('Ada');
  await tasks.failOnce({ operation: 'leads.create', status: 503 });
  const body = { phone: '+5511987654321' };
  await expect(confab.leads.create(body)).rejects.toThrow();
  await confab.leads.create(body);
  expect(await tasks.countRequests({ operation: 'leads.create', body })).toBe(2);
  expect(await tasks.reset()).toBeNull();
  expect(mock.leads.count()).toBe(0);
});
