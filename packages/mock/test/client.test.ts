import { createClient, TimeoutError } from '@confab/client';
import { expect, test } from 'vitest';
import { createMock } from '../src/index.ts';

const PHONE = '+5511987654321';

test('the client talks to the mock through clientOptions', async () => {
  const mock = createMock({ strict: true, data: 'demo' });
  const confab = createClient(mock.clientOptions);
  const lead = await confab.leads.create({ phone: PHONE });
  expect(await confab.leads.get(lead.id)).toEqual(lead);
  expect(await confab.leads.list().all()).toHaveLength(61);
});

test('a client that is told to wait a minute, and meets three failures on the way, is done within milliseconds', async () => {
  const mock = createMock({ rateLimit: 1 });
  const confab = createClient(mock.clientOptions);
  const began = mock.clock.now();
  const really = performance.now();
  await confab.agents.list();
  for (let at = 0; at < 3; at += 1) mock.faults.once('agents.list', { status: 503 });
  await confab.agents.list();
  expect(mock.clock.now() - began).toBeGreaterThanOrEqual(60_000);
  expect(performance.now() - really).toBeLessThan(1_000);
  expect(mock.requests.all.map(({ status }) => status)).toEqual([200, 503, 503, 503, 429, 200]);
});

test('a hang ends in the timeout of the client, on the clock of the mock', async () => {
  const mock = createMock();
  const confab = createClient({ ...mock.clientOptions, timeout: 30_000, retry: false });
  const began = mock.clock.now();
  mock.faults.once('leads.list', { network: 'hang' });
  await expect(confab.leads.list({})).rejects.toThrow(TimeoutError);
  expect(mock.clock.now() - began).toBe(30_000);
});
