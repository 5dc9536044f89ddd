import { setTimeout as sleep } from 'node:timers/promises';
import { runRedisScript } from '@confab/internal';
import { createRedisServer } from '@confab/internal/test-support';
import { signedRequest } from '@confab/webhooks';
import { redisDedupeStore } from '@confab/webhooks/redis';
import { Redis } from 'ioredis';
import { RELEASE, TAKE } from '../../packages/client/src/redis/scripts.ts';
import { startChild } from '../support/start-child.ts';
import type { PartFigures } from './part.ts';

/** What something costs once: milliseconds of CPU, and bytes that stay in Redis. */
export interface Cost {
  readonly nodeMs?: number;
  readonly redisMs: number;
  readonly bytes: number;
}

/** How often each thing is done. */
const COUNT = 10_000;

const SECRET = 'scale-secret-scale-secret';

const BODY = {
  event: 'message.created',
  data: { conversationId: 'c1', channel: 'web', body: 'Is it still available? '.repeat(20) },
};

/** Does some work so many times, with 100 under way at once. */
const times = async (work: (index: number) => Promise<unknown>, count = COUNT): Promise<void> => {
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < count; index = next++) {
      await work(index);
    }
  };
  await Promise.all(Array.from({ length: 100 }, worker));
};

/** Measures everything on a Redis of its own. */
export const measureCosts = async () => {
  const server = await createRedisServer();
  const redis = new Redis(server.url);

  const used = async () => {
    const info = `${await redis.info('cpu')}\n${await redis.info('memory')}`;
    const read = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1]);
    return { ms: 1_000 * (read('used_cpu_user') + read('used_cpu_sys')), bytes: read('used_memory') };
  };
  /** The CPU is without the time in which other programs run instead. */
  const costOf = async (work: () => Promise<unknown>): Promise<Cost> => {
    const before = await used();
    await work();
    const after = await used();
    return { redisMs: (after.ms - before.ms) / COUNT, bytes: (after.bytes - before.bytes) / COUNT };
  };

  // A full window of an hour, with names as long as those that processes have.
  const keys = ['confab:{scale}:window', 'confab:{scale}:pause', 'confab:{scale}:line'];
  const named = (kind: string, index: number) => `${kind}-${String(index).padStart(35 - kind.length, '0')}`;
  const askFor = (place: string, process: string) =>
    runRedisScript(redis, TAKE, keys, [COUNT, 3_600_000, 1, 90_000, place, process]);
  const release = (place: string) => runRedisScript(redis, RELEASE, keys.slice(0, 1), [place, 3_600_000, 1]);
  const take = await costOf(() => times((index) => askFor(`${named('place', index)}:`, named('own', index))));
  const give = await costOf(() => times((index) => release(`${named('place', index)}:1`)));
  const refuse = await costOf(() => times((index) => askFor('none:', named('waiter', index))));
  if ((await redis.zcard(keys[0] ?? '')) !== COUNT || (await redis.zcard(keys[2] ?? '')) !== COUNT) {
    throw new Error('The window and the line are not full.');
  }
  await redis.flushall();

  const store = redisDedupeStore({ client: redis });
  const dedupe = await costOf(() =>
    times(async (index) => {
      const claim = { token: crypto.randomUUID(), leaseMs: 60_000, ttlMs: 86_400_000 };
      await store.claim(`delivery-${index}:${'0'.repeat(64)}`, claim);
      await store.complete(`delivery-${index}:${'0'.repeat(64)}`, claim);
    }),
  );
  await redis.flushall();

  const start = (kind: 'receiver' | 'worker') =>
    startChild<PartFigures>(new URL('part.ts', import.meta.url), [kind, server.url, SECRET]);
  const receiver = await start('receiver');
  const send = async (index: number) => {
    const request = await signedRequest(`http://127.0.0.1:${receiver.greeting.port}`, BODY, {
      secret: SECRET,
      signature: { header: 'x-webhook-signature' },
    });
    request.headers.set('x-delivery-id', `delivery-${index}`);
    const response = await fetch(request);
    await response.text();
    if (!response.ok) {
      throw new Error(`The receiver responded with ${response.status}.`);
    }
  };
  // Code that runs often is compiled first.
  await times((index) => send(-index - 1), 500);
  const { cpuMs } = await receiver.ask();
  const queue = await costOf(() => times(send));
  const queueMs = ((await receiver.ask()).cpuMs - cpuMs) / COUNT;
  receiver.stop();

  let workMs = 0;
  const work = await costOf(async () => {
    const worker = await start('worker');
    let after = worker.greeting;
    while (after.handled < COUNT + 500) {
      await sleep(100);
      after = await worker.ask();
    }
    worker.stop();
    // Without what starting took.
    workMs = (after.cpuMs - worker.greeting.cpuMs) / (after.handled - worker.greeting.handled);
  });

  redis.disconnect();
  await server.kill();
  return {
    take,
    release: give,
    refuse,
    dedupe,
    queue: { ...queue, nodeMs: queueMs },
    work: { ...work, nodeMs: workMs },
  };
};

export type Costs = Awaited<ReturnType<typeof measureCosts>>;
