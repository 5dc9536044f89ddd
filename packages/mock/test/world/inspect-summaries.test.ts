import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createMock } from '../../src/index.ts';

const secret = 'whsec_0123456789';

test('an inspected mock prints each of its parts on one line, without a secret', async () => {
  const mock = createMock({ data: 'demo' });
  mock.webhooks.add({ url: 'http://receiver.test/', secret, fetch: () => new Response() });
  mock.faults.once('leads.create', { status: 503 });
  await mock.fetch(`${mock.baseUrl}/api/v2/public/agents`, { headers: { 'x-api-key': mock.apiKey } });
  await mock.inbound({ phone: '+5511987654321', body: 'Hello' });
  await mock.webhooks.flush();
  const printed = inspect(mock);
  expect(printed).toMatch(/^Mock \{\n {2}baseUrl: 'https:\/\/api\.confab\.test',/);
  expect(printed.split('\n').length).toBeLessThan(20);
  expect(printed).not.toContain(secret);
  for (const [part, says] of [
    [mock.clock, "Clock { now: '2026-01-01T00:00:00.000Z', runs: 'virtual' }"],
    [mock.leads, "Collection { of: 'leads', count: 61 }"],
    [mock.faults, 'Faults { planned: 1 }'],
    [mock.webhooks, 'Webhooks { endpoints: 1, deliveries: 1 }'],
    [mock.requests, 'RequestLog { length: 1 }'],
    [mock.keys, 'Keys { count: 1 }'],
  ] as const) {
    expect(inspect(part)).toBe(says);
    expect(printed).toContain(`: ${says},\n`.replace('length: 1 },', 'length: 1 }'));
  }
});
