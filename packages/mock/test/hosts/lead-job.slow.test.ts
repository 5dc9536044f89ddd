import type { Lead, Paginated } from '@confab/client';
import { createClient } from '@confab/client';
import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '../../src/index.ts';
import { serve } from '../../src/server/index.ts';

const COUNT = 1_000;

/** The usual job over TCP: go through the leads that are new, and set each to active. */
const runJob = async (list: (confab: ReturnType<typeof createClient>) => Paginated<Lead>) => {
  const mock = createMock({ clock: 'system', rateLimit: 1_000_000, strict: true });
  for (let at = 0; at < COUNT; at += 1) {
    mock.leads.create({ status: 'new' });
  }
  const ids = mock.leads.find().map(({ id }) => id);
  const server = await serve(mock);
  onTestFinished(() => server.close());

  const confab = createClient({ baseUrl: server.url, apiKey: mock.apiKey });
  const visited: string[] = [];
  for await (const lead of list(confab)) {
    visited.push(lead.id);
    await confab.leads.update(lead.id, { status: 'active' });
  }
  return { mock, ids, visited, lists: mock.requests.of('leads.list').length };
};

test('1,000 leads set from new to active while they are listed: each visited once, in at most 12 list requests', async () => {
  const { mock, ids, visited, lists } = await runJob((confab) => confab.leads.list({ status: 'new' }));
  expect(visited.toSorted()).toEqual(ids.toSorted());
  expect(mock.leads.count({ status: 'active' })).toBe(COUNT);
  expect(mock.requests.of('leads.update')).toHaveLength(COUNT);
  expect(lists).toBeLessThanOrEqual(12);
});

test('1,000 leads set from new to active while three pages are read ahead: each visited once', async () => {
  const { mock, ids, visited, lists } = await runJob((confab) =>
    confab.leads.list({ status: 'new' }, { prefetch: 3 }),
  );
  expect(visited.toSorted()).toEqual(ids.toSorted());
  expect(mock.leads.count({ status: 'active' })).toBe(COUNT);
  expect(mock.requests.of('leads.update')).toHaveLength(COUNT);
  // Each page, and those begun before it whose rows then moved.
  expect(lists).toBeLessThanOrEqual(12 * 4);
});
