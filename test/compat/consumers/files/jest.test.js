/* What a user of Jest writes: run as it is, and through each compiler in use. */
import { createClient, NotFoundError } from '@confab/client';
import { createMock, expectNothingMissed } from '@confab/mock';
import { matchers } from '@confab/mock/matchers';
import { createWebhooks } from '@confab/webhooks';
import { jest } from '@jest/globals';
import { setupServer } from 'msw/node';

expect.extend(matchers);

const PHONE = '+5511987654321';
const secret = 'whsec_0123456789';

test('the mock responds to the client, whose waits pass on the clock of the mock', async () => {
  const mock = createMock({ rateLimit: 1 });
  const confab = createClient(mock.clientOptions);
  await confab.leads.create({ phone: PHONE });
  await confab.agents.list();
  expect(mock).toHaveReceived('leads.create', { phone: expect.stringContaining('987') });
  expect(mock).not.toHaveReceived('leads.create', expect.not.objectContaining({ phone: PHONE }));
  expect(() => expect(mock).toHaveReceived('leads.create', { phone: 'another' })).toThrow(
    `with {"phone": "another"}; there was one, which does not fit:\n  {"phone": "${PHONE}"}`,
  );
  expect(mock).toHaveReceivedInOrder([['leads.create', { phone: PHONE }], 'agents.list']);
  expectNothingMissed(mock);
  mock.faults.once('leads.list', { status: 503 });
  expect(() => expectNothingMissed(mock)).toThrow(`faults.once('leads.list', {"status":503}) was never used`);
  const unknown = confab.leads.get('5f0c7a52-6b1e-4c62-9a5a-0d5c2f1c8d11');
  await expect(unknown).rejects.toBeInstanceOf(NotFoundError);
});

test('the mock delivers events to a receiver', async () => {
  const mock = createMock();
  const webhooks = createWebhooks({ secret, signature: { header: 'x-webhook-signature' } });
  const received = [];
  webhooks.on('message.created', ({ data }) => {
    received.push(data.body);
  });
  mock.webhooks.add({ url: 'https://receiver.test/', secret, fetch: webhooks.fetch });
  await mock.inbound({ phone: PHONE, body: 'Hello' });
  await mock.webhooks.flush();
  expect(received).toEqual(['Hello']);
  expect(mock).toHaveDelivered('message.created', { body: 'Hello' });
});

test('the mock responds to requests of other code through msw', async () => {
  const mock = createMock();
  const server = setupServer(...mock.handlers);
  server.listen();
  const response = await fetch(`${mock.baseUrl}/api/v2/public/agents`, {
    headers: { 'x-api-key': mock.apiKey },
  });
  server.close();
  expect(response.status).toBe(200);
});

test('a polling program and a mock on the system clock follow the fake timers', async () => {
  jest.useFakeTimers();
  const mock = createMock({ clock: 'system', rateLimit: { requests: 2, perMs: 60_000 } });
  const confab = createClient(mock.clientOptions);
  const polled = [];
  const began = Date.now();
  const timer = setInterval(() => confab.leads.list().then(() => polled.push(Date.now() - began)), 10_000);
  await jest.advanceTimersByTimeAsync(75_000);
  clearInterval(timer);
  jest.useRealTimers();
  expect(polled).toEqual([10_000, 20_000, 70_000]);
});
