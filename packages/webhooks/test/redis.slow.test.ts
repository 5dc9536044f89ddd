import { randomUUID } from 'node:crypto';
import type { RedisServer } from '@confab/internal/test-support';
import { startRedisServer } from '@confab/internal/test-support';
import type { Delivery, WebhookError } from '@confab/webhooks';
import { createWebhooks, signedRequest, WebhookConfigurationError } from '@confab/webhooks';
import type { RedisDedupeStoreOptions } from '@confab/webhooks/redis';
import { redisDedupeStore } from '@confab/webhooks/redis';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

type RedisClient = RedisDedupeStoreOptions['client'];

/** The two clients that people use, each as it comes. */
const clients: Readonly<Record<string, (server: RedisServer) => Promise<RedisClient>>> = {
  redis: async ({ url }) => {
    const client = createClient({ url });
    onTestFinished(() => client.destroy());
    return client.connect();
  },
  ioredis: async ({ port }) => {
    const client = new Redis({ port, host: '127.0.0.1' });
    onTestFinished(() => client.disconnect());
    return client;
  },
};

const claim = (token: string, leaseMs = 60_000) => ({ token, leaseMs, ttlMs: 60_000 });

const signature = { header: 'x-signature' };
const secret = randomUUID();

const request = async (id: string): Promise<Request> => {
  const event = {
    event: 'message.created',
    data: { conversationId: 'c1', channel: 'web', body: 'Hello' },
  };
  const signed = await signedRequest('https://r.test/', event, { secret, signature });
  signed.headers.set('x-delivery-id', id);
  return signed;
};

const options = (client: RedisClient) => ({
  secret,
  signature,
  dedupe: {
    key: ({ headers }: { headers: Headers }) => headers.get('x-delivery-id') ?? undefined,
    store: redisDedupeStore({ client }),
  },
});

describe.each(Object.entries(clients))('%s', (_, connect) => {
  test('only one of fifty simultaneous claims over two connections succeeds', async () => {
    const redis = await startRedisServer();
    const stores = [
      redisDedupeStore({ client: await connect(redis) }),
      redisDedupeStore({ client: await connect(redis) }),
    ];
    const claims = Array.from({ length: 50 }, (_, index) => stores[index % 2]?.claim('a', claim(`${index}`)));
    const states = await Promise.all(claims);
    expect(states.filter((state) => state === 'claimed')).toHaveLength(1);
    expect(states.filter((state) => state === 'running')).toHaveLength(49);
  });

  test('a key is running until its own token completes or releases it', async () => {
    const store = redisDedupeStore({ client: await connect(await startRedisServer()) });
    expect(await store.claim('a', claim('mine'))).toBe('claimed');
    await store.release('a', claim('other'));
    expect(await store.claim('a', claim('next'))).toBe('running');
    await store.release('a', claim('mine'));
    expect(await store.claim('a', claim('next'))).toBe('claimed');
    await store.complete('a', claim('next'));
    expect(await store.claim('a', claim('again'))).toBe('completed');
    await store.release('a', claim('next'));
    expect(await store.claim('a', claim('again'))).toBe('completed');
    expect(await store.claim('b', claim('again'))).toBe('claimed');
  });

  test('a claim that the client sends again, because the connection was lost before the reply, succeeds', async () => {
    const store = redisDedupeStore({ client: await connect(await startRedisServer()) });
    expect(await store.claim('a', claim('mine'))).toBe('claimed');
    expect(await store.claim('a', claim('mine'))).toBe('claimed');
    expect(await store.claim('a', claim('other'))).toBe('running');
    await store.complete('a', claim('mine'));
    expect(await store.claim('a', claim('mine'))).toBe('completed');
  });

  test('a claim and a completed key expire', async () => {
    const store = redisDedupeStore({ client: await connect(await startRedisServer()) });
    const brief = { token: 'brief', leaseMs: 20, ttlMs: 20 };
    await store.claim('a', brief);
    await expect.poll(() => store.claim('a', brief), { interval: 5 }).toBe('claimed');
    await store.complete('a', brief);
    await expect.poll(() => store.claim('a', brief), { interval: 5 }).toBe('claimed');
  });

  test('a delivery is remembered for `ttlSeconds` after its run', async () => {
    const redis = await startRedisServer();
    const look = await createClient({ url: redis.url }).connect();
    onTestFinished(() => look.destroy());
    const given = options(await connect(redis));
    const webhooks = createWebhooks({ ...given, dedupe: { ...given.dedupe, ttlSeconds: 1_000 } });
    webhooks.on('message.created', () => {});

    expect((await webhooks.fetch(await request('one'))).status).toBe(200);

    const [key = ''] = await look.keys('*');
    expect(await look.get(key)).toBe('completed');
    const left = await look.pTTL(key);
    expect(left).toBeGreaterThan(970_000);
    expect(left).toBeLessThanOrEqual(1_000_000);
  });

  test('a key that another program has written fails the delivery with an explanation, and stays', async () => {
    const redis = await startRedisServer();
    const other = await createClient({ url: redis.url }).connect();
    onTestFinished(() => other.destroy());
    const store = redisDedupeStore({ client: await connect(redis) });
    await other.set('confab:webhook:text', 'hello');
    await other.hSet('confab:webhook:hash', 'a', 'b');
    for (const key of ['text', 'hash']) {
      await expect(store.claim(key, claim('mine'))).rejects.toMatchObject({
        code: 'HANDLER_FAILED',
        message: expect.stringContaining(
          `Another program has written the key "confab:webhook:${key}" in Redis. Use another \`prefix\``,
        ),
      });
      await store.release(key, claim('mine'));
    }
    expect(await other.get('confab:webhook:text')).toBe('hello');
    expect(await other.hGetAll('confab:webhook:hash')).toEqual({ a: 'b' });
  });

  test('stores with other prefixes share nothing', async () => {
    const client = await connect(await startRedisServer());
    const one = redisDedupeStore({ client, prefix: 'one:' });
    const other = redisDedupeStore({ client, prefix: 'other:' });
    expect(await one.claim('a', claim('1'))).toBe('claimed');
    expect(await other.claim('a', claim('2'))).toBe('claimed');
    expect(await redisDedupeStore({ client }).claim('a', claim('3'))).toBe('claimed');
  });

  test('two receivers with one Redis run a delivery once, and again only after a failure', async () => {
    const redis = await startRedisServer();
    const runs: number[] = [];
    const receivers = await Promise.all(
      [0, 1].map(async (index) => {
        const receiver = createWebhooks(options(await connect(redis)));
        receiver.on('message.created', () => {
          runs.push(index);
          if (runs.length === 1) {
            throw new Error('database down');
          }
        });
        return receiver;
      }),
    );
    const deliver = async (to: number) => (await receivers[to]?.fetch(await request('one')))?.status;
    expect(await deliver(0)).toBe(500);
    expect(await deliver(1)).toBe(200);
    expect(await deliver(0)).toBe(200);
    expect(await deliver(1)).toBe(200);
    expect(runs).toEqual([0, 1]);
  });

  test('workers with one Redis share the jobs of a queue that delivers each of them twice', async () => {
    const redis = await startRedisServer();
    const jobs: Delivery[] = [];
    const receiver = createWebhooks({
      ...options(await connect(redis)),
      enqueue: async (delivery) => jobs.push(delivery, delivery),
    });
    for (let id = 0; id < 20; id += 1) {
      expect((await receiver.fetch(await request(`${id}`))).status).toBe(200);
    }
    const handled = vi.fn();
    const workers = await Promise.all(
      [0, 1].map(async () => {
        const worker = createWebhooks(options(await connect(redis)));
        worker.on('message.created', (_event, { id }) => handled(id));
        return worker;
      }),
    );
    const results = await Promise.allSettled(jobs.map((job, index) => workers[index % 2]?.process(job)));
    expect(handled).toHaveBeenCalledTimes(20);
    for (const result of results) {
      if (result.status === 'rejected') {
        expect(result.reason).toMatchObject({ code: 'STILL_RUNNING' });
      }
    }
  });

  test('while Redis is away, a delivery is refused and not handled; afterward it is handled', async () => {
    const redis = await startRedisServer();
    const webhooks = createWebhooks(options(await connect(redis)));
    const handled = vi.fn();
    webhooks.on('message.created', handled);
    const errors: WebhookError[] = [];
    webhooks.onError((error) => errors.push(error));
    await redis.kill();
    expect((await webhooks.fetch(await request('one'))).status).toBe(500);
    expect(handled).not.toHaveBeenCalled();
    const reason = `connect ECONNREFUSED 127.0.0.1:${redis.port}`;
    expect(errors).toMatchObject([
      {
        code: 'HANDLER_FAILED',
        message: `Redis did not respond within 4.5 s: ${reason}. The handlers did not run. The sender or the queue should retry.`,
        cause: { code: 'ECONNREFUSED', message: reason },
      },
    ]);

    await redis.start();
    const status = async () => (await webhooks.fetch(await request('one'))).status;
    await expect.poll(status, { timeout: 20_000 }).toBe(200);
    expect(handled).toHaveBeenCalledTimes(1);
  });
});

/** The methods of @upstash/redis, which speaks HTTP. */
const rest = {
  eval: async (_script: string, _keys: string[], _args: unknown[]) => 'claimed',
  evalsha: async (_hash: string, _keys: string[], _args: unknown[]) => 'claimed',
  scriptLoad: async () => '',
  pipeline: () => ({}),
  exec: async () => [],
};

test.each([
  [undefined, /must be an object/],
  [{ client: rest }, 'redis or ioredis. A REST client, such as @upstash/redis, is not supported.'],
  [{}, 'client must be a client of the package redis or ioredis.'],
  [{ client: { call() {} }, prefix: 1 }, 'prefix must be a string, got number.'],
  [{ client: { call() {} }, prefx: 'a' }, /Did you mean `prefix`/],
])('invalid options are refused: %j', (given, text) => {
  const create = () => redisDedupeStore(given as never);
  expect(create).toThrow(WebhookConfigurationError);
  expect(create).toThrow(text);
});
