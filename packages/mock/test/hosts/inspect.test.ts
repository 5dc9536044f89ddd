import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createMock } from '../../src/index.ts';

const secret = 'whsec_0123456789';

test('a mock and its parts print what a test wants to know, on a few lines', async () => {
  const mock = createMock({ data: 'demo' });
  mock.webhooks.add({ url: 'http://receiver.test/', secret, fetch: () => new Response() });
  mock.faults.once('leads.create', { status: 503 });
  mock.faults.always('*', () => undefined);
  for (let count = 0; count < 8; count += 1) {
    await mock.fetch(`${mock.baseUrl}/api/v2/public/agents`, { headers: { 'x-api-key': mock.apiKey } });
  }
  await mock.inbound({ phone: '+5511987654321', body: 'Hello' });
  await mock.webhooks.flush();
  // Those of msw are not ours.
  const { handlers: _, ...parts } = mock;
  for (const part of [mock, ...Object.values(parts)]) {
    expect(inspect(part).split('\n').length).toBeLessThan(20);
  }
  expect(inspect(mock)).toMatch(/^Mock \{\n {2}baseUrl: 'https:\/\/api\.confab\.test',/);
  for (const [part, says] of [
    [mock, "clock: Clock { now: '2026-01-01T00:00:00.000Z', runs: 'virtual' }"],
    [mock, 'leads: 61'],
    [mock, 'requests: 8'],
    [mock.leads, "Collection {\n  of: 'leads',\n  count: 61,\n  newest: {"],
    [mock.faults, "operation: 'leads.create', fault: { status: 503 }, times: 'once'"],
    [mock.webhooks, 'deliveries: { pending: 0, delivered: 1, failed: 0 }'],
    [mock.requests, "RequestLog [\n  '… 3 more',\n  'GET /api/v2/public/agents 200',"],
    [mock.keys, 'Keys { count: 1 }'],
  ] as const) {
    expect(inspect(part)).toContain(says);
    expect(inspect(part)).not.toContain(secret);
  }
});
