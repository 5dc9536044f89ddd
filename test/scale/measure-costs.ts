import { once } from 'node:events';
import { runRedisScript } from '@confab/internal';
import { createRedisServer } from '@confab/internal/test-support';
import { createWebhooks, signedRequest } from '@confab/webhooks';
import { redisDedupeStore } from '@confab/webhooks/redis';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { RELEASE, TAKE } from '../../packages/client/src/redis/window-scripts.ts';

/** The cost of doing something once: milliseconds of CPU, and bytes that stay in Redis. */
export interface Cost {
  readonly nodeMs: number;
  readonly redisMs: number;
  readonly bytes: number;
}

/** How often each operation is done. */
const COUNT = 10_000;

const WEBHOOKS = { secret: 'scale-secret-scale-secret', signature: { header: 'x-webhook-signature' } };

const BODY = {
  event: 'message.created',
  data: { conversationId: 'c1', channel: 'web', body: 'Is it still available? '.repeat(20) },
};

/** Measures everything in this process, and on a Redis of its own. */
export const measureCosts = async () => {
  const server = await createRedisServer();
  const redis = new Redis(server.url, { maxRetriesPerRequest: null });

  const used = async () => {
    const info = `${await redis.info('cpu')}\n${await redis.info('memory')}`;
    const read = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1]);
    const { user, system } = process.cpuUsage();
    return {
      nodeMs: (user + system) / 1_000,
      redisMs: 1_000 * (read('used_cpu_user') + read('used_cpu_sys')),
      bytes: read('used_memory'),
    };
  };
  const costOf = async (work: () => Promise<unknown>): Promise<Cost> => {
    const before = await used();
    await work();
    const after = await used();
    return {
      nodeMs: (after.nodeMs - before.nodeMs) / COUNT,
      redisMs: (after.redisMs - before.redisMs) / COUNT,
      bytes: (after.bytes - before.bytes) / COUNT,
    };
  };
  /** Does the work {@link COUNT} times, 100 times at once. */
  const costOfEach = (work: (index: number) => Promise<unknown>): Promise<Cost> =>
    costOf(async () => {
      for (let start = 0; start < COUNT; start += 100) {
        await Promise.all(Array.from({ length: 100 }, (_, index) => work(start + index)));
      }
    });

  // A full window of an hour, with names as long as those that processes have.
  const keys = ['confab:{scale}:window', 'confab:{scale}:pause', 'confab:{scale}:line'] as const;
  const named = (kind: string, index: number) => `${kind}-${String(index).padStart(35 - kind.length, '0')}`;
  const askFor = (place: string, process: string) =>
    runRedisScript(redis, TAKE, [...keys], [COUNT, 3_600_000, 1, 90_000, place, process]);
  const take = await costOfEach((index) => askFor(`${named('place', index)}:`, named('own', index)));
  const release = await costOfEach((index) =>
    runRedisScript(redis, RELEASE, [keys[0]], [`${named('place', index)}:1`, 3_600_000, 1]),
  );
  const refuse = await costOfEach((index) => askFor('none:', named('waiter', index)));
  if ((await redis.zcard(keys[0])) !== COUNT || (await redis.zcard(keys[2])) !== COUNT) {
    throw new Error('The window and the line are not full.');
  }
  await redis.flushall();

  const store = redisDedupeStore({ client: redis });
  const dedupe = await costOfEach(async (index) => {
    const claim = { token: crypto.randomUUID(), leaseMs: 60_000, ttlMs: 86_400_000 };
    await store.claim(`delivery-${index}:${'0'.repeat(64)}`, claim);
    await store.complete(`delivery-${index}:${'0'.repeat(64)}`, claim);
  });
  await redis.flushall();

  const queue = new Queue('deliveries', { connection: redis });
  const receiver = createWebhooks({
    ...WEBHOOKS,
    enqueue: (delivery) => queue.add(delivery.event, delivery),
  });
  const requests = await Promise.all(
    Array.from({ length: COUNT }, () => signedRequest('http://127.0.0.1', BODY, WEBHOOKS)),
  );
  const receive = await costOfEach((index) => receiver.fetch(requests[index] as Request));

  const handler = createWebhooks({ ...WEBHOOKS, dedupe: { store, key: () => crypto.randomUUID() } });
  const work = await costOf(async () => {
    const worker = new Worker('deliveries', ({ data }) => handler.process(data), { connection: redis });
    await once(worker, 'drained');
    await worker.close();
  });
  if ((await queue.getCompletedCount()) !== COUNT) {
    throw new Error('The worker has not handled all deliveries.');
  }
  redis.disconnect();
  await server.kill();
  return { take, release, refuse, dedupe, receive, work };
};
