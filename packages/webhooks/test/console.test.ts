import { eventually } from '@confab/internal/test-support';
import { createWebhooks, signedRequest } from '@confab/webhooks';
import { beforeEach, expect, test, vi } from 'vitest';

const options = { secret: 'a secret of the test', signature: { header: 'x-sig' } };
const event = { event: 'message.created', data: { conversationId: 'c1', channel: 'web', body: 'Hello' } };
const deliver = () => signedRequest('https://r.test/', event, options);

const printed = vi.spyOn(console, 'error');
beforeEach(() => {
  printed.mockReset();
});

test('without an onError handler, a failed handler is printed once, with its error', async () => {
  const webhooks = createWebhooks(options);
  const failure = new Error('database down');
  webhooks.on('message.created', () => Promise.reject(failure));
  expect((await webhooks.fetch(await deliver())).status).toBe(500);
  await eventually(() => expect(printed).toHaveBeenCalled());
  expect(printed.mock.calls).toEqual([
    [
      '@confab/webhooks: HANDLER_FAILED: 1 of the handlers of "message.created" failed; see the cause. The sender or the queue should retry.',
      failure,
    ],
  ]);
});

test('without an onError handler, a body that is not raw is printed with its hint', async () => {
  const webhooks = createWebhooks(options);
  expect((await webhooks.receive({ method: 'POST', headers: {}, body: {} })).status).toBe(500);
  await eventually(() => expect(printed).toHaveBeenCalled());
  expect(printed.mock.calls).toEqual([
    [expect.stringMatching(/^@confab\/webhooks: BODY_NOT_RAW: The body is/)],
  ]);
});

test('a refused delivery is not printed, because strangers could flood the log', async () => {
  const webhooks = createWebhooks(options);
  const forged = await signedRequest('https://r.test/', event, { ...options, secret: 'guess' });
  expect((await webhooks.fetch(forged)).status).toBe(401);
  await new Promise(setImmediate);
  expect(printed).not.toHaveBeenCalled();
});

test('with an onError handler, nothing is printed', async () => {
  const webhooks = createWebhooks(options);
  webhooks.onAny(() => Promise.reject(new Error('database down')));
  const onError = vi.fn();
  webhooks.onError(onError);
  expect((await webhooks.fetch(await deliver())).status).toBe(500);
  await eventually(() => expect(onError).toHaveBeenCalledTimes(1));
  expect(printed).not.toHaveBeenCalled();
});
