import type { RedisServer } from '@confab/internal/test-support';
import { restRedisClient, startRedisServer } from '@confab/internal/test-support';
import { WebhookConfigurationError } from '@confab/webhooks';
import type { RedisDedupeStoreOptions } from '@confab/webhooks/redis';
import { redisDedupeStore } from '@confab/webhooks/redis';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createReceiver, message, standard } from './support/receiver.ts';

type RedisClient = RedisDedupeStoreOptions['client'];

const connectRedis = async ({ url }: RedisServer) => {
  const client = createClient({ url });
  onTestFinished(() => client.destroy());
  return client.connect();
};

/** The two supported clients, each with its default options. */
const clients: Readonly<Record<string, (server: RedisServer) => Promise<RedisClient>>> = {
  redis: connectRedis,
  ioredis: async ({ port }) => {
    const client = new Redis({ port, host: '127.0.0.1' });
    onTestFinished(() => client.disconnect());
    return client;
  },
};

const claim = (token: string) => ({ token, leaseMs: 60_000, ttlMs: 60_000 });

const optionsWith = (client: RedisClient) => ({
  dedupe: {
    key: ({ headers }: { headers: Headers }) => headers.get('x-delivery-id') ?? undefined,
    store: redisDedupeStore({ client }),
  },
});
const withId = (id: string) => ({ headers: { 'x-delivery-id': id } });

describe.each(Object.entries(clients))('%s', (_, connect) => {
  /** A store on a Redis of its own. */
  const createStore = async () => redisDedupeStore({ client: await connect(await startRedisServer()) });

  test('only one of fifty simultaneous claims over two connections succeeds', async () => {
    const redis = await startRedisServer();
    const stores = [await connect(redis), await connect(redis)].map((client) => redisDedupeStore({ client }));
    const claims = Array.from({ length: 50 }, (_, index) => stores[index % 2]?.claim('a', claim(`${index}`)));
    const states = await Promise.all(claims);
    expect(states.toSorted()).toEqual(['claimed', ...Array(49).fill('running')]);
  });

  test('redisDedupeStore() forgets claims and completed keys when they expire', async () => {
    const store = await createStore();
    const brief = { token: 'brief', leaseMs: 20, ttlMs: 20 };
    await store.claim('a', brief);
    await expect.poll(() => store.claim('a', brief), { interval: 5 }).toBe('claimed');
    await store.complete('a', brief);
    await expect.poll(() => store.claim('a', brief), { interval: 5 }).toBe('claimed');
  });

  test('a key written by another program fails the delivery and is left alone', async () => {
    const redis = await startRedisServer();
    const other = await connectRedis(redis);
    const store = redisDedupeStore({ client: await connect(redis) });
    const { deliver, handled, errors } = createReceiver({ ...standard, dedupe: { store } });
    await other.set('confab:webhook:text', 'hello');
    await other.hSet('confab:webhook:hash', 'a', 'b');
    for (const id of ['text', 'hash']) {
      expect([await deliver(message, { ...standard, id }), handled]).toEqual([500, []]);
    }
    expect(errors.map((error) => error.message)).toEqual([
      expect.stringMatching(/^`dedupe` must return one of .*, got "hello"\./),
      expect.stringContaining('dedupe.store.claim() failed'),
    ]);
    expect(await other.get('confab:webhook:text')).toBe('hello');
    expect(await other.hGetAll('confab:webhook:hash')).toEqual({ a: 'b' });
  });

  test('stores with different prefixes share no keys', async () => {
    const client = await connect(await startRedisServer());
    for (const prefix of ['one:', 'other:', undefined]) {
      expect(await redisDedupeStore({ client, prefix }).claim('a', claim(`${prefix}`))).toBe('claimed');
    }
  });

  test('while Redis is down, a delivery is refused and not handled; afterward it is handled', async () => {
    const redis = await startRedisServer();
    const { deliver, handled, errors } = createReceiver(optionsWith(await connect(redis)));
    await redis.kill();
    expect([await deliver(message, withId('one')), handled]).toEqual([500, []]);
    const reason = `connect ECONNREFUSED 127.0.0.1:${redis.port}`;
    expect(errors).toMatchObject([
      {
        code: 'RECEIVER_FAILED',
        message: `Redis did not respond within 4.5 s: ${reason}. The handlers did not run. The sender or the queue should retry.`,
        cause: { code: 'ECONNREFUSED', message: reason },
      },
    ]);
    await redis.start();
    await expect.poll(() => deliver(message, withId('one')), { timeout: 20_000 }).toBe(200);
    expect(handled).toHaveLength(1);
  });
});

test.each([
  [undefined, /must be an object/],
  [{ client: restRedisClient }, 'redis or ioredis. A REST client, such as @upstash/redis, is not supported.'],
  [{}, '`client` must be a client of the package redis or ioredis.'],
  [{ client: { call() {} }, prefix: 1 }, '`prefix` must be a string, got 1.'],
  [{ client: { call() {} }, prefx: 'a' }, /Did you mean `prefix`/],
])('redisDedupeStore() refuses %j', (options, text) => {
  const create = () => redisDedupeStore(options as never);
  expect(create).toThrow(WebhookConfigurationError);
  expect(create).toThrow(text);
});
