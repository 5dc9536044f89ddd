import type { DedupeStore, Delivery } from '@confab/webhooks';
import { createWebhooks, WebhookError } from '@confab/webhooks';
import { redisDedupeStore } from '@confab/webhooks/redis';
import type { Job, WorkerOptions } from 'bullmq';
import { DelayedError, UnrecoverableError, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { AddHandlers, Environment } from './options.ts';
import { dedupeKey, signature } from './options.ts';
import { LOADING_RETRY_MS, QUEUE_NAME } from './queue.ts';

/** Settings of {@link startWorker}. */
export interface WorkerSettings extends Environment {
  readonly addHandlers: AddHandlers;
  /**
   * Longer than the slowest handler runs and Redis is away together. If a worker dies, others can claim its deliveries
   * after this time.
   */
  readonly leaseSeconds?: number;
  readonly createStore?: (redis: Redis) => DedupeStore;
  readonly options?: Partial<WorkerOptions>;
}

/** A worker that takes jobs from the queue. */
export interface RunningWorker {
  /** Finishes the jobs under way, and takes no more. */
  stop(): Promise<void>;
}

/** Milliseconds after which a job is tried again whose delivery another worker is running. */
const RUNNING_ELSEWHERE_MS = 1_000;

/** Turns what `process` throws into what BullMQ understands. */
const rethrow = async (error: unknown, job: Job<Delivery>, token: string | undefined): Promise<never> => {
  if (error instanceof WebhookError && error.code === 'STILL_RUNNING') {
    // Another worker has the delivery, or died with it. That is no failure, so it must not use up an attempt.
    await job.moveToDelayed(Date.now() + RUNNING_ELSEWHERE_MS, token);
    throw new DelayedError();
  }
  if (error instanceof WebhookError && error.code === 'INVALID_EVENT') {
    // No retry helps: it becomes a dead letter at once.
    throw new UnrecoverableError(error.message);
  }
  // BullMQ stores the message, and that of the handler says more than "1 handler failed; see the cause".
  throw error instanceof WebhookError && error.cause instanceof Error ? error.cause : error;
};

/** Starts a worker. As many as you like can share a queue, in one process or in many. */
export const startWorker = async ({
  redisUrl,
  secret,
  addHandlers,
  leaseSeconds = 60,
  createStore = (client) => redisDedupeStore({ client }),
  options,
}: WorkerSettings): Promise<RunningWorker> => {
  // A worker waits for Redis instead of failing. Queue and store share the connection, which keeps their commands in
  // order: a delivery is recorded as handled before its job is completed.
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null, maxLoadingRetryTime: LOADING_RETRY_MS });
  redis.on('error', ({ message }) => console.error(`worker: ${message}`));

  const webhooks = createWebhooks({
    secret,
    signature,
    dedupe: { key: dedupeKey, store: createStore(redis), leaseSeconds },
  });
  addHandlers(webhooks);

  const worker = new Worker<Delivery>(
    QUEUE_NAME,
    async (job, token) => {
      try {
        await webhooks.process(job.data);
      } catch (error) {
        await rethrow(error, job, token);
      }
    },
    {
      connection: redis,
      concurrency: 10,
      // A repeat of a job that is no longer kept runs again, and `dedupe` skips it.
      removeOnComplete: { age: 3_600, count: 10_000 },
      // A killed worker stalls its jobs. A job that stalls this often is probably what ends the workers.
      maxStalledCount: 5,
      ...options,
    },
  );
  worker.on('error', ({ message }) => console.error(`worker: ${message}`));
  worker.on('failed', (job, { message }) =>
    console.error(`worker: attempt ${job?.attemptsMade} of ${job?.id} failed: ${message}`),
  );
  await worker.waitUntilReady();
  return {
    async stop() {
      await worker.close();
      await redis.quit();
    },
  };
};
