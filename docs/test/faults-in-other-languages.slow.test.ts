import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProcess } from '@confab/internal/test-support';
import { createMock } from '@confab/mock';
import { serve } from '@confab/mock/server';
import { expect, onTestFinished, test } from 'vitest';
import { readData } from '../../packages/mock/src/cli/data-file.ts';
import { read } from '../.vitepress/content/repository.ts';

const GUIDE = read('docs/guides/testing-faults.md');

/** The only block of a language in the guide. */
const blockOf = (language: string): string => {
  const blocks = [...GUIDE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))];
  expect(blocks).toHaveLength(1);
  return blocks[0]?.[1] ?? '';
};

/** Updates each lead, and returns the statuses by the names of the leads. */
const updateAll = async (mock: ReturnType<typeof createMock>) => {
  const update = async (id: string) => {
    const body = JSON.stringify({ status: 'active' });
    const init = { method: 'PATCH', body, headers: { 'x-api-key': mock.apiKey } };
    return (await mock.fetch(`${mock.baseUrl}/api/v2/public/leads/${id}`, init)).status;
  };
  const rows = mock.leads.find().map(async ({ id, displayName }) => [displayName, await update(id)] as const);
  return Object.fromEntries(await Promise.all(rows));
};

test('the Python program in docs/guides/testing-faults.md fails the requests for one lead only', async () => {
  const mock = createMock();
  mock.leads.create({ displayName: 'Grace' });
  await using server = await serve(mock);
  const program = blockOf('python').replace('http://127.0.0.1:4010', server.url);
  // Its requests must not go through a proxy of the environment.
  const { code, errors } = await runProcess('env', ['NO_PROXY=127.0.0.1', 'python3', '-c', program]);
  expect([code, errors]).toEqual([0, '']);
  expect(await updateAll(mock)).toEqual({ Ada: 400, Grace: 200 });
});

test('the data file in docs/guides/testing-faults.md fails the requests for one lead only', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'confab-yaml-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'rows.yaml'), blockOf('yaml'));
  const data = await readData(join(folder, 'rows.yaml'));
  expect(await updateAll(createMock({ data }))).toEqual({ Ada: 400, Grace: 200 });
});
