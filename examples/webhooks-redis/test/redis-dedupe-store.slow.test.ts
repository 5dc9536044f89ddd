import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { signedRequest } from '@confab/webhooks';
import { createClient } from 'redis';
import { describe, expect, test } from 'vitest';
import { createReceiver, DELIVERY_ID, signature } from '../src/receiver.ts';
import { createRedisDedupeStore } from '../src/redis-dedupe-store.ts';
import { redisServerPath, startRedis } from '../src/start-redis.ts';
import { startFakeRedis } from './support/fake-redis.ts';

const execute = promisify(execFile);
const path = redisServerPath();
const backends = [
  { name: 'a fake of the Redis protocol', start: () => startFakeRedis(Date.now) },
  ...(path === undefined ? [] : [{ name: `a real Redis (${path})`, start: () => startRedis(path) }]),
];

if (path === undefined) {
  test.skip('a real Redis: skipped, because redis-server is not on PATH');
}

const connect = async (url: string) => {
  const client = await createClient({ url }).connect();
  return { client, [Symbol.dispose]: () => client.destroy() };
};

const claim = (token: string, leaseMs = 60_000) => ({ token, leaseMs, ttlMs: 60_000 });

describe.for(backends)('$name', ({ start }) => {
  test('only one of fifty simultaneous claims over two connections succeeds', async () => {
    await using redis = await start();
    using one = await connect(redis.url);
    using two = await connect(redis.url);
    const stores = [createRedisDedupeStore(one.client), createRedisDedupeStore(two.client)];
    const claims = Array.from({ length: 50 }, (_, index) => stores[index % 2]?.claim('a', claim(`${index}`)));
    const states = await Promise.all(claims);
    expect(states.filter((state) => state === 'claimed')).toHaveLength(1);
    expect(states.filter((state) => state === 'running')).toHaveLength(49);
  });

  test('a key is running until its own token completes or releases it', async () => {
    await using redis = await start();
    using connection = await connect(redis.url);
    const store = createRedisDedupeStore(connection.client);
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

  test('a claim and a completed key expire', async () => {
    await using redis = await start();
    using connection = await connect(redis.url);
    const store = createRedisDedupeStore(connection.client);
    const brief = { token: 'brief', leaseMs: 20, ttlMs: 20 };
    await store.claim('a', brief);
    await expect.poll(() => store.claim('a', brief), { interval: 5 }).toBe('claimed');
    await store.complete('a', brief);
    await expect.poll(() => store.claim('a', brief), { interval: 5 }).toBe('claimed');
  });

  test('two receivers with one Redis run a delivery once, and again only after a failure', async () => {
    await using redis = await start();
    using one = await connect(redis.url);
    using two = await connect(redis.url);
    const secret = randomUUID();
    const runs: number[] = [];
    const receivers = [one, two].map(({ client }, index) => {
      const receiver = createReceiver(client, secret);
      receiver.on('message.created', () => {
        runs.push(index);
        if (runs.length === 1) {
          throw new Error('database down');
        }
      });
      return receiver;
    });
    const deliver = async (to: number) => {
      const data = { conversationId: 'c1', channel: 'web', body: 'ok' };
      const event = { event: 'message.created', data };
      const request = await signedRequest('https://r.test/', event, { secret, signature });
      request.headers.set(DELIVERY_ID, 'one delivery');
      return (await receivers[to]?.fetch(request))?.status;
    };
    expect(await deliver(0)).toBe(500);
    expect(await deliver(1)).toBe(200);
    expect(await deliver(0)).toBe(200);
    expect(await deliver(1)).toBe(200);
    expect(runs).toEqual([0, 1]);
  });

  test('the example delivers four times to two receivers, and only one of them runs it', async () => {
    await using redis = await start();
    const args = ['--conditions=@confab/source', join(import.meta.dirname, '../src/main.ts')];
    const { stdout, stderr } = await execute(process.execPath, args, { env: { REDIS_URL: redis.url } });
    expect(stderr).toBe('');
    expect(stdout.match(/ runs: Hello/g)).toHaveLength(1);
    expect(stdout.match(/: 200 \{"ok":true\}/g)).toHaveLength(4);
  });
});
