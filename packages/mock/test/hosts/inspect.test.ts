import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createMock } from '../../src/index.ts';

const secret = 'whsec_0123456789';

const busy = async () => {
  const mock = createMock({ data: 'demo' });
  mock.webhooks.add({ url: 'http://receiver.test/', secret, fetch: () => new Response() });
  mock.faults.once('leads.create', { status: 503 });
  mock.faults.always('*', () => undefined);
  for (let count = 0; count < 8; count += 1) {
    await mock.fetch(`${mock.baseUrl}/api/v2/public/agents`, { headers: { 'x-api-key': mock.apiKey } });
  }
  await mock.inbound({ phone: '+5511987654321', body: 'Hello' });
  await mock.webhooks.flush();
  return mock;
};

test('a mock and each part of it print on a few lines, whatever it holds', async () => {
  const mock = await busy();
  for (const part of [mock, ...Object.values(mock)]) {
    // Those of msw are not ours.
    if (part === mock.handlers) {
      continue;
    }
    expect(inspect(part).split('\n').length).toBeLessThan(20);
  }
});

test('a mock prints where it is, what time it is there, and how much is in it', async () => {
  const text = inspect(await busy());
  expect(text).toMatch(/^Mock \{\n {2}baseUrl: 'https:\/\/api\.confab\.test',/);
  expect(text).toContain("clock: Clock { now: '2026-01-01T00:00:00.000Z', runs: 'virtual' }");
  expect(text).toContain('leads: 61');
  expect(text).toContain('requests: 8');
  expect(text).toContain('deliveries: 1');
});

test('the parts of a mock print what a test wants to know of them', async () => {
  const mock = await busy();
  expect(inspect(mock.leads)).toMatch(/^Collection \{\n {2}of: 'leads',\n {2}count: 61,\n {2}newest: \{/);
  expect(inspect(createMock().leads)).toBe("Collection { of: 'leads', count: 0 }");
  expect(inspect(mock.faults)).toContain("operation: 'leads.create', fault: { status: 503 }, times: 'once'");
  expect(inspect(mock.faults)).toContain("times: 'always'");
  expect(inspect(mock.webhooks)).toContain('deliveries: { pending: 0, delivered: 1, failed: 0 }');
  expect(inspect(mock.webhooks)).not.toContain(secret);
  expect(inspect(mock.requests)).toMatch(
    /^RequestLog \[\n {2}'… 3 more',\n {2}'GET \/api\/v2\/public\/agents 200',/,
  );
  expect(inspect(mock.keys)).toBe('Keys { count: 1 }');
  expect(inspect(createMock({ clock: 'system' }).clock)).toMatch(/runs: 'system'/);
});
