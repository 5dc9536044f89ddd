import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import type { DeliveryQueue } from '../src/queue.ts';
import { LOADING_RETRY_MS, QUEUE_NAME } from '../src/queue.ts';
import type { Outcome } from './judge.ts';

/** Looks into the queue from outside. */
export interface QueueObserver {
  /** The jobs that have neither completed nor failed. */
  countUnfinished(): Promise<number>;
  /** Waits until no job is left, or nothing changes any more. */
  drained(): Promise<void>;
  /** What is in Redis now. */
  inspect(): Promise<Pick<Outcome, 'deadLetters' | 'unfinished'>>;
  close(): Promise<void>;
}

/** Milliseconds without any change after which the rest will not end by itself. */
const STUCK_MS = 60_000;

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

/** Connects to the Redis under test, and again each time it has been killed. */
export const observeQueue = (redisUrl: string): QueueObserver => {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null, maxLoadingRetryTime: LOADING_RETRY_MS });
  redis.on('error', () => {});
  const queue: DeliveryQueue = new Queue(QUEUE_NAME, { connection: redis });
  queue.on('error', () => {});
  const counts = () => queue.getJobCounts('waiting', 'active', 'delayed', 'prioritized', 'waiting-children');

  return {
    countUnfinished: async () => sum(await counts()),
    async drained() {
      let last = '';
      let changedAt = Date.now();
      while (Date.now() - changedAt < STUCK_MS) {
        const unfinished = await counts();
        if (sum(unfinished) === 0) {
          return;
        }
        const state = JSON.stringify([unfinished, await queue.getFailedCount()]);
        changedAt = state === last ? changedAt : Date.now();
        last = state;
        await sleep(200);
      }
    },
    async inspect() {
      const keys = await redis.keys('confab:webhook:*');
      const claims = keys.length === 0 ? [] : await redis.mget(keys);
      const failed = await queue.getFailed();
      return {
        unfinished: {
          ...(await counts()),
          claimed: claims.filter((claim) => claim !== 'completed').length,
        },
        deadLetters: failed.map(({ data, attemptsMade }) => ({
          delivery: data.id.split(':')[0] ?? '',
          attempts: attemptsMade,
        })),
      };
    },
    async close() {
      await queue.close();
      redis.disconnect();
    },
  };
};
