import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { signedRequest } from '@confab/webhooks';
import { redisDedupeStore } from '@confab/webhooks/redis';
import type { Redis } from 'ioredis';
import { DELIVERY_ID, signature } from '../../examples/webhooks-bullmq/src/options.ts';
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

interface Part {
  figures(): Promise<PartFigures>;
  stop(): void;
}

const startPart = async (kind: 'receiver' | 'worker', redisUrl: string): Promise<Part> => {
  const child = fork(fileURLToPath(new URL('part.ts', import.meta.url)), [kind, redisUrl], {
    execArgv: ['--conditions=@confab/source'],
  });
  const next = async () => {
    const [figures] = await once(child, 'message');
    return figures as PartFigures;
  };
  await next();
  return {
    figures() {
      const figures = next();
      child.send('figures');
      return figures;
    },
    stop: () => void child.kill(),
  };
};

/** The milliseconds of CPU that a part takes for work. */
const cpuOf = async (part: Part, work: () => Promise<void>): Promise<number> => {
  const before = await part.figures();
  await work();
  return (await part.figures()).cpuMs - before.cpuMs;
};

const BODY = {
  event: 'message.created',
  data: { conversationId: 'c1', channel: 'web', body: 'Is it still available? '.repeat(20) },
};

/** Sends deliveries and puts them into the queue, without a worker. */
const fillQueue = async (redis: Redis, redisUrl: string) => {
  const receiver = await startPart('receiver', redisUrl);
  const { port } = await receiver.figures();
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
    cpuMs = await cpuOf(receiver, () => times(DELIVERIES, send));
  });
  receiver.stop();
  return { cpuMs, redisCpuMs: cost.cpuMs, bytes: cost.bytes };
};

/** Works off the queue. */
const emptyQueue = async (redis: Redis, redisUrl: string, jobs: number) => {
  let cpuMs = 0;
  const cost = await costOf(redis, async () => {
    const worker = await startPart('worker', redisUrl);
    cpuMs = await cpuOf(worker, async () => {
      while ((await worker.figures()).handled < jobs) {
        await sleep(100);
      }
    });
    worker.stop();
  });
  return { cpuMs, redisCpuMs: cost.cpuMs };
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
    workerMs: emptied.cpuMs / jobs,
    redisWorkMs: emptied.redisCpuMs / jobs,
    redisDedupeMs: dedupe.cpuMs / DELIVERIES,
    bytesPerRemembered: dedupe.bytes / DELIVERIES,
  };
};
