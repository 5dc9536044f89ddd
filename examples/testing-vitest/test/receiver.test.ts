import type { Confab } from '@confab/client';
import type { Mock } from '@confab/mock';
import { test } from '@confab/mock/vitest';
import { signedRequest } from '@confab/webhooks';
import { expect } from 'vitest';
import { createReceiver } from '../src/receiver.ts';

const SECRET = 'whsec_test';
const RECEIVER = 'https://receiver.test/webhooks';

/** Makes the mock deliver to the receiver within this process. */
const connect = (mock: Mock, confab: Confab): void => {
  mock.webhooks.add({ url: RECEIVER, secret: SECRET, fetch: createReceiver(confab, SECRET).fetch });
};

test('a lead who writes "stop" gets the status lost', async ({ mock, confab }) => {
  connect(mock, confab);
  const { lead } = await mock.inbound({ phone: '+5511987654321', body: ' Stop ' });
  await mock.webhooks.flush();
  expect(mock).toHaveDelivered('message.created', { body: ' Stop ' });
  expect(mock.leads.get(lead.id)?.status).toBe('lost');
});

test('a lead who writes something else keeps its status', async ({ mock, confab }) => {
  connect(mock, confab);
  const { lead } = await mock.inbound({ phone: '+5511987654321', body: 'Do not stop!' });
  await mock.webhooks.flush();
  expect(mock).toHaveDelivered('message.created');
  expect(mock.leads.get(lead.id)?.status).toBe('new');
});

test('if a call of the API fails, the sender delivers again, and the handler succeeds', async ({
  mock,
  confab,
}) => {
  connect(mock, confab);
  mock.faults.once('conversations.get', { status: 404 });
  const { lead } = await mock.inbound({ phone: '+5511987654321', body: 'stop' });
  await mock.webhooks.flush();
  const [delivery] = mock.webhooks.deliveries;
  expect(delivery?.attempts.map(({ status }) => status)).toEqual([500, 200]);
  expect(mock.leads.get(lead.id)?.status).toBe('lost');
});

test('a duplicate delivery has no effect', async ({ mock, confab }) => {
  connect(mock, confab);
  mock.webhooks.deliveryFaults.once({ copies: 2 });
  const { lead } = await mock.inbound({ phone: '+5511987654321', body: 'stop' });
  await mock.webhooks.flush();
  expect(mock.webhooks.deliveries.map(({ state }) => state)).toEqual(['delivered', 'delivered']);
  expect(mock.leads.get(lead.id)?.status).toBe('lost');
});

test('a forged delivery gets a 401 and causes no API call', async ({ mock, confab }) => {
  const event = { event: 'message.created', data: { conversationId: '1', channel: 'web', body: 'stop' } };
  const signature = { header: 'x-webhook-signature' };
  const forged = await signedRequest(RECEIVER, event, { secret: 'guessed', signature });
  expect((await createReceiver(confab, SECRET).fetch(forged)).status).toBe(401);
  expect(mock.requests.length).toBe(0);
});
