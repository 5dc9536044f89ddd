import type { DedupeStore, StandardSchema, WebhookError, WebhooksOptions } from '@confab/webhooks';
import { createMemoryDedupeStore, createWebhooks, sign } from '@confab/webhooks';
import { describe, expect, test, vi } from 'vitest';
import { expectNoUnhandledRejections } from './support/no-unhandled-rejections.ts';

const secret = 'a secret of the test';
const signature = { header: 'x-signature' };
const message = {
  event: 'message.created',
  data: { conversationId: 'c1', channel: 'web', body: 'Hello' },
};
const body = JSON.stringify(message);
const genuine = await sign(body, { secret, signature });

expectNoUnhandledRejections();

const down = new Error('down');
const broken = (): never => {
  throw down;
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

const rejected = () => Promise.reject(down);

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
      cause: down,
    },
  ]);
});

test.each(['claimed', 'running'] as const)(
  'a claim() that hangs fails the delivery after five seconds; if the store then says %s, only a claim is released',
  async (late) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const claiming = Promise.withResolvers<typeof late>();
      const asked = Promise.withResolvers<void>();
      const released: string[] = [];
      const slow: DedupeStore = {
        ...createMemoryDedupeStore(),
        claim: () => {
          asked.resolve();
          return claiming.promise;
        },
        release: (key) => {
          released.push(key);
          throw down;
        },
      };
      const webhooks = createWebhooks({ secret, signature, dedupe: { key: () => 'key', store: slow } });
      const handler = vi.fn();
      const onError = vi.fn();
      webhooks.on('message.created', handler);
      webhooks.onError(onError);
      const response = webhooks.receive({ method: 'POST', headers: genuine, body });
      await asked.promise;
      await vi.advanceTimersByTimeAsync(5_000);
      expect((await response).status).toBe(500);
      expect(onError.mock.calls.map(([error]) => error)).toMatchObject([
        {
          code: 'HANDLER_FAILED',
          message: expect.stringMatching(
            /^dedupe\.store\.claim\(\) took longer than 5000 ms\. The handlers did not run\./,
          ),
        },
      ]);
      claiming.resolve(late);
      await vi.advanceTimersByTimeAsync(1);
      expect(released).toEqual(late === 'claimed' ? [expect.stringContaining('key-')] : []);
      expect(handler).not.toHaveBeenCalled();
    } finally {
      vi.useRealTimers();
    }
  },
);

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
    cause: down,
  });
});

test.each([
  [2, '2 of the handlers of "message.created" failed;'],
  [3, '3 of the handlers of "message.created" failed;'],
])('the error of %i failed handlers counts them', async (count, text) => {
  const { errors } = await deliver({}, genuine, count);
  expect(errors[0]?.message).toContain(text);
});

test('the cause of one failed handler is its own error', async () => {
  const webhooks = createWebhooks({ secret, signature });
  const errors: WebhookError[] = [];
  webhooks.onError((error) => errors.push(error));
  webhooks.onAny(broken);
  webhooks.onAny(() => {});
  await webhooks.receive({ method: 'POST', headers: genuine, body });
  expect(errors.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^1 of the handlers of "message\.created" failed; see the cause/),
  ]);
  expect(errors[0]?.cause).toBe(down);
});

const isDown = (error: unknown) => error === down;

describe.each<[title: string, create: () => unknown, isSame: (error: unknown) => boolean]>([
  [
    'a getter',
    () => Object.defineProperty({ ...genuine }, 'x-other', { enumerable: true, get: broken }),
    isDown,
  ],
  ['ownKeys()', () => new Proxy(genuine, { ownKeys: broken }), isDown],
  ['get()', () => new Proxy(genuine, { get: broken }), isDown],
  ['has()', () => new Proxy(genuine, { has: broken }), isDown],
  ['getPrototypeOf()', () => new Proxy(genuine, { getPrototypeOf: broken }), isDown],
  ['an iterator', () => ({ [Symbol.iterator]: broken }), isDown],
  [
    'a revoked proxy',
    () => {
      const { proxy, revoke } = Proxy.revocable(genuine, {});
      revoke();
      return proxy;
    },
    (error) => error instanceof TypeError,
  ],
])('headers that throw from %s', (_, create, isSame) => {
  test('get a response, and the error is reported as the cause', async () => {
    const { status, errors } = await deliver({}, create());
    expect(status).toBe(500);
    expect(errors).toMatchObject([
      { code: 'HANDLER_FAILED', message: expect.stringMatching(/^The receiver failed/) },
    ]);
    expect(errors[0]?.cause).toSatisfy(isSame);
  });

  // Not with a WebhookError: these headers come from the caller, not from a sender.
  test('reject verify() and unwrap() with their own error', async () => {
    const webhooks = createWebhooks({ secret, signature });
    await expect(webhooks.verify(body, create() as never)).rejects.toSatisfy(isSame);
    await expect(webhooks.unwrap(body, create() as never)).rejects.toSatisfy(isSame);
  });
});
