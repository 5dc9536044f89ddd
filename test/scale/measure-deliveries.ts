import { setTimeout as sleep } from 'node:timers/promises';
import { signedRequest } from '@confab/webhooks';
import { redisDedupeStore } from '@confab/webhooks/redis';
import type { Redis } from 'ioredis';
import { DELIVERY_ID, signature } from '../../examples/webhooks-bullmq/src/options.ts';
import { startChild } from '../child/start-child.ts';
import type { PartFigures } from './part.ts';
import { costOf, times } from './redis-usage.ts';
import { SECRET } from './secret.ts';

/** What one delivery costs, in milliseconds of CPU and in bytes. */
export interface DeliveryCosts {
  /** To receive it over HTTP, verify it, and put it into the queue. */
  readonly receiverMs: number;
  readonly redisEnqueueMs: number;
  readonly bytesPerJob: number;
  /** To take it from the queue, and to run no handlers for it, with dedupe. */
  readonly workerMs: number;
  readonly redisWorkMs: number;
  /** To claim it and mark it as handled, without a queue. */
  readonly redisDedupeMs: number;
  readonly bytesPerRemembered: number;
}

const DELIVERIES = 5_000;

const startPart = (kind: 'receiver' | 'worker', redisUrl: string) =>
  startChild<PartFigures, PartFigures>(new URL('part.ts', import.meta.url), [kind, redisUrl]);

const BODY = {
  event: 'message.created',
  data: { conversationId: 'c1', channel: 'web', body: 'Is it still available? '.repeat(20) },
};

/** Sends deliveries and puts them into the queue, without a worker. */
const fillQueue = async (redis: Redis, redisUrl: string) => {
  const receiver = await startPart('receiver', redisUrl);
  const { port } = receiver.greeting;
  const send = async (index: number) => {
    const request = await signedRequest(`http://127.0.0.1:${port}`, BODY, { secret: SECRET, signature });
    request.headers.set(DELIVERY_ID, `delivery-${index}`);
    const response = await fetch(request);
    await response.text();
    if (!response.ok) {
      throw new Error(`The receiver responded with ${response.status}.`);
    }
  };
  // Code that runs often is compiled first.
  await times(500, (index) => send(-index - 1));
  let cpuMs = 0;
  const cost = await costOf(redis, async () => {
    const before = await receiver.ask('figures');
    await times(DELIVERIES, send);
    cpuMs = (await receiver.ask('figures')).cpuMs - before.cpuMs;
  });
  receiver.stop();
  return { cpuMs, redisCpuMs: cost.cpuMs, bytes: cost.bytes };
};

/** Works off the queue. The CPU of Node is that of one job. */
const emptyQueue = async (redis: Redis, redisUrl: string, jobs: number) => {
  let workerMs = 0;
  const cost = await costOf(redis, async () => {
    const worker = await startPart('worker', redisUrl);
    const before = worker.greeting;
    let after = before;
    while (after.handled < jobs) {
      await sleep(100);
      after = await worker.ask('figures');
    }
    worker.stop();
    // Neither what starting took nor the jobs that were handled meanwhile.
    workerMs = (after.cpuMs - before.cpuMs) / (after.handled - before.handled);
  });
  return { workerMs, redisCpuMs: cost.cpuMs };
};

/** Measures what a delivery costs the receiver, the queue, the worker and Redis. */
export const measureDeliveries = async (redis: Redis, redisUrl: string): Promise<DeliveryCosts> => {
  const store = redisDedupeStore({ client: redis });
  const claim = { token: crypto.randomUUID(), leaseMs: 60_000, ttlMs: 86_400_000 };
  const dedupe = await costOf(redis, () =>
    times(DELIVERIES, async (index) => {
      const key = `delivery-${index}:${'0'.repeat(64)}`;
      await store.claim(key, claim);
      await store.complete(key, claim);
    }),
  );
  await redis.flushall();
  const filled = await fillQueue(redis, redisUrl);
  const jobs = DELIVERIES + 500;
  const emptied = await emptyQueue(redis, redisUrl, jobs);
  return {
    receiverMs: filled.cpuMs / DELIVERIES,
    redisEnqueueMs: filled.redisCpuMs / DELIVERIES,
    bytesPerJob: filled.bytes / DELIVERIES,
    workerMs: emptied.workerMs,
    redisWorkMs: emptied.redisCpuMs / jobs,
    redisDedupeMs: dedupe.cpuMs / DELIVERIES,
    bytesPerRemembered: dedupe.bytes / DELIVERIES,
  };
};
