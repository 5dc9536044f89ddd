import type { DedupeStore, StandardSchema, WebhookError, WebhooksOptions } from '@confab/webhooks';
import { createMemoryDedupeStore, createWebhooks, sign } from '@confab/webhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const secret = 'a secret of the test';
const signature = { header: 'x-signature' };
const message = {
  event: 'message.created',
  data: { conversationId: 'c1', channel: 'web', body: 'Hello' },
};
const body = JSON.stringify(message);
const genuine = await sign(body, { secret, signature });

const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);
beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});
afterEach(async () => {
  await new Promise(setImmediate);
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

const broken = (): never => {
  throw new Error('down');
};

/** Delivers a body, and returns the status of the response and the messages of the errors that were reported. */
const deliver = async (options: Partial<WebhooksOptions>, headers: unknown = genuine, handlers = 1) => {
  const webhooks = createWebhooks({ secret, signature, ...options });
  const errors: WebhookError[] = [];
  webhooks.onError((error) => errors.push(error));
  for (let count = 0; count < handlers && options.enqueue === undefined; count += 1) {
    webhooks.onAny(() => (handlers > 1 ? broken() : undefined));
  }
  const { status } = await webhooks.receive({ method: 'POST', headers: headers as never, body });
  return { status, errors };
};

const schema = (validate: StandardSchema['~standard']['validate']): Partial<WebhooksOptions> => ({
  events: { 'message.created': { '~standard': { version: 1, vendor: 'test', validate } } },
});

const store = (claim: DedupeStore['claim']): Partial<WebhooksOptions> => ({
  dedupe: { key: () => 'a', store: { ...createMemoryDedupeStore(), claim } },
});

const rejected = () => Promise.reject(new Error('down'));

test.each<[part: string, options: Partial<WebhooksOptions>]>([
  ['A schema', schema(broken)],
  ['A schema', schema(rejected)],
  ['dedupe.key()', { dedupe: { key: broken } }],
  ['dedupe.key()', { dedupe: { key: broken }, enqueue: async () => {} }],
  ['dedupe.store.claim()', store(broken)],
  ['dedupe.store.claim()', store(rejected)],
  ['enqueue', { enqueue: broken }],
  ['enqueue', { enqueue: rejected }],
])('the error of a failure names the part that failed: %s', async (part, options) => {
  const { status, errors } = await deliver(options);
  expect(status).toBe(500);
  expect(errors).toMatchObject([
    {
      code: 'HANDLER_FAILED',
      message: `${part} failed; see the cause. The sender or the queue should retry.`,
      cause: { message: 'down' },
    },
  ]);
});

test.each<[part: string, options: Partial<WebhooksOptions>]>([
  ['A schema', schema(broken)],
  ['dedupe.store.claim()', store(rejected)],
])('process() rejects with an error that names the part that failed: %s', async (part, options) => {
  const worker = createWebhooks({ secret, signature, ...options });
  worker.onAny(() => {});
  const delivery = { id: '1', ...message, receivedAt: '2026-01-31T12:00:00.000Z', headers: {} };
  await expect(worker.process(delivery)).rejects.toMatchObject({
    code: 'HANDLER_FAILED',
    message: `${part} failed; see the cause. The sender or the queue should retry.`,
    cause: { message: 'down' },
  });
});

test.each([
  [2, '2 of the handlers of "message.created" failed;'],
  [3, '3 of the handlers of "message.created" failed;'],
])('the error of %i failed handlers counts them', async (count, text) => {
  const { errors } = await deliver({}, genuine, count);
  expect(errors[0]?.message).toContain(text);
});

test('the error of one failed handler does not count it', async () => {
  const webhooks = createWebhooks({ secret, signature });
  const messages: string[] = [];
  webhooks.onError((error) => messages.push(error.message));
  webhooks.onAny(broken);
  await webhooks.receive({ method: 'POST', headers: genuine, body });
  expect(messages).toEqual([
    expect.stringMatching(/^1 of the handlers of "message\.created" failed; see the cause/),
  ]);
});

describe.each<[string, () => unknown]>([
  ['a getter', () => Object.defineProperty({ ...genuine }, 'x-other', { enumerable: true, get: broken })],
  ['ownKeys()', () => new Proxy(genuine, { ownKeys: broken })],
  ['get()', () => new Proxy(genuine, { get: broken })],
  ['has()', () => new Proxy(genuine, { has: broken })],
  ['getPrototypeOf()', () => new Proxy(genuine, { getPrototypeOf: broken })],
  ['an iterator', () => ({ [Symbol.iterator]: broken })],
  [
    'a revoked proxy',
    () => {
      const { proxy, revoke } = Proxy.revocable(genuine, {});
      revoke();
      return proxy;
    },
  ],
])('headers that throw from %s', (_, create) => {
  test('get a response, and the failure is reported', async () => {
    const { status, errors } = await deliver({}, create());
    expect(status).toBe(500);
    expect(errors).toMatchObject([{ code: 'HANDLER_FAILED', cause: expect.any(Error) }]);
  });

  test('reject verify() and unwrap()', async () => {
    const webhooks = createWebhooks({ secret, signature });
    await expect(webhooks.verify(body, create() as never)).rejects.toThrow(Error);
    await expect(webhooks.unwrap(body, create() as never)).rejects.toThrow(Error);
  });
});
