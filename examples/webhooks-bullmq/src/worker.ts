import type { DedupeStore, Delivery, Webhooks } from '@confab/webhooks';
import { createWebhooks, WebhookError } from '@confab/webhooks';
import { redisDedupeStore } from '@confab/webhooks/redis';
import type { Job, WorkerOptions } from 'bullmq';
import { DelayedError, UnrecoverableError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { connect, dedupe, QUEUE_NAME, signature } from './queue.ts';

/** Settings of {@link startWorker}. */
export interface WorkerSettings {
  readonly redisUrl: string;
  readonly secret: string;
  readonly addHandlers: (webhooks: Webhooks) => void;
  /**
   * Longer than the slowest handler takes, plus an outage of Redis. If a worker dies, others can claim its deliveries after
   * this time.
   */
  readonly leaseSeconds?: number;
  readonly createStore?: (redis: Redis) => DedupeStore;
  readonly options?: Partial<WorkerOptions>;
}

/** Turns an error of `process` into one that BullMQ understands. */
const toJobError = async (
  error: unknown,
  job: Job<Delivery>,
  token: string | undefined,
): Promise<unknown> => {
  if (!(error instanceof WebhookError)) {
    return error;
  }
  if (error.code === 'STILL_RUNNING') {
    // Another worker is handling the delivery, or died with it. This is not a failure, so it must not use up an attempt.
    await job.moveToDelayed(Date.now() + 1_000, token);
    return new DelayedError();
  }
  // An invalid job becomes a dead letter at once, because a retry cannot help. Otherwise, the handler's error says more.
  return error.code === 'INVALID_EVENT' ? new UnrecoverableError(error.message) : (error.cause ?? error);
};

/** Starts a worker. Any number of workers can share a queue, in one process or in several. */
export const startWorker = async ({
  redisUrl,
  secret,
  addHandlers,
  leaseSeconds = 60,
  createStore = (client) => redisDedupeStore({ client }),
  options,
}: WorkerSettings) => {
  // A worker waits for Redis instead of failing. Queue and store share the connection, which keeps their commands in
  // order: a delivery is recorded as handled before its job is completed.
  const redis = connect(redisUrl, { maxRetriesPerRequest: null });
  const webhooks = createWebhooks({
    secret,
    signature,
    dedupe: { ...dedupe, store: createStore(redis), leaseSeconds },
  });
  addHandlers(webhooks);

  const run = async (job: Job<Delivery>, token?: string): Promise<void> => {
    try {
      await webhooks.process(job.data);
    } catch (error) {
      throw await toJobError(error, job, token);
    }
  };
  const worker = new Worker<Delivery>(QUEUE_NAME, run, {
    connection: redis,
    concurrency: 10,
    // A duplicate of a job that is no longer kept runs again, and `dedupe` skips it.
    removeOnComplete: { age: 3_600, count: 10_000 },
    // The jobs of a killed worker stall. A job that stalls this often probably causes the crashes.
    maxStalledCount: 5,
    ...options,
  });
  worker.on('error', ({ message }) => console.error(`worker: ${message}`));
  worker.on('failed', (job, { message }) =>
    console.error(`worker: attempt ${job?.attemptsMade} of ${job?.id} failed: ${message}`),
  );
  await worker.waitUntilReady();
  return {
    /** Finishes the jobs in progress, and takes no more. */
    async stop(): Promise<void> {
      await worker.close();
      await redis.quit();
    },
  };
};
