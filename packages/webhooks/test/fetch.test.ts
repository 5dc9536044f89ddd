import { createWebhooks, signedRequest } from '@confab/webhooks';
import { expect, test } from 'vitest';

const secret = 'a secret of the test';
const signature = { header: 'x-webhook-signature' };
const url = 'https://receiver.test/webhooks';
const message = {
  event: 'message.created',
  data: { conversationId: 'c1', channel: 'web', body: 'Hello', locale: 'en' },
};
const deliver = (event: { event: string; data: unknown } = message) =>
  signedRequest(url, event, { secret, signature });

test('message.created has conversationId, channel and body, and additional fields are kept', async () => {
  const webhooks = createWebhooks({ secret, signature });
  const seen: unknown[] = [];
  webhooks.on('message.created', (event, { secretIndex }) => seen.push(event, secretIndex));
  const response = await webhooks.fetch(await deliver());
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ ok: true });
  expect(seen).toEqual([{ ...message, known: true }, 0]);
});

test('a forged delivery reaches no handler, and its response contains only a code', async () => {
  const webhooks = createWebhooks({ secret, signature });
  const seen: unknown[] = [];
  webhooks.on('message.created', (event) => seen.push(event));
  webhooks.onError((error) => seen.push(error.code));
  const forged = await signedRequest(url, message, { secret: 'guess', signature });
  const response = await webhooks.fetch(forged);
  expect(response.status).toBe(401);
  expect(await response.json()).toEqual({ error: 'SIGNATURE_MISMATCH' });
  expect(seen).toEqual(['SIGNATURE_MISMATCH']);
});

test.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('%s gets a 405 that allows POST', async (method) => {
  const response = await createWebhooks({ secret, signature }).fetch(new Request(url, { method }));
  expect(response.status).toBe(405);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toEqual({ error: 'METHOD_NOT_ALLOWED' });
  expect(response.headers.get('allow')).toBe('POST');
});

test('an unknown event is acknowledged, with and without a handler', async () => {
  const webhooks = createWebhooks({ secret, signature });
  const event = { event: 'status.changed', data: { status: 'open' } };
  expect((await webhooks.fetch(await deliver(event))).status).toBe(200);
  const seen: unknown[] = [];
  webhooks.onUnknown((unknown) => seen.push(unknown));
  expect((await webhooks.fetch(await deliver(event))).status).toBe(200);
  expect(seen).toEqual([{ ...event, known: false }]);
});

test('a handler that throws causes a 500', async () => {
  const webhooks = createWebhooks({ secret, signature });
  const failure = new Error('database down');
  const seen: unknown[] = [];
  webhooks.on('message.created', () => {
    throw failure;
  });
  webhooks.on('message.created', () => seen.push('the other handler ran'));
  webhooks.onError((error) => seen.push(error.code, error.cause));
  const response = await webhooks.fetch(await deliver());
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({ error: 'HANDLER_FAILED' });
  expect(seen).toEqual(['the other handler ran', 'HANDLER_FAILED', failure]);
});
