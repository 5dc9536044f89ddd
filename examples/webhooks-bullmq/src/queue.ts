import type { Delivery, WebhooksOptions } from '@confab/webhooks';
import { Queue } from 'bullmq';
import type { RedisOptions } from 'ioredis';
import { Redis } from 'ioredis';

export const QUEUE_NAME = 'webhook-deliveries';

/** The attempts before a delivery becomes a dead letter, which is a job in BullMQ's failed set. */
export const ATTEMPTS = 5;

/** The headers with the id and the signature of a delivery. */
export const DELIVERY_ID = 'x-delivery-id';
export const signature = { header: 'x-webhook-signature' };

/** The receiver and the workers need the same key, from which the receiver derives the id of a delivery. */
export const dedupe = {
  key: ({ headers }) => headers.get(DELIVERY_ID) ?? undefined,
} satisfies WebhooksOptions['dedupe'];

/** Connects to Redis, and reports each lost connection. */
export const connect = (url: string, options: RedisOptions): Redis => {
  // While Redis loads its data, ioredis waits up to 10 s as Redis asks: too long for a worker with a lease.
  const redis = new Redis(url, { maxLoadingRetryTime: 500, ...options });
  return redis.on('error', ({ message }) => console.error(`Redis: ${message}`));
};

export type DeliveryQueue = Queue<Delivery>;

/** Creates the queue. The wait before the second attempt doubles with each further one. */
export const createQueue = (redis: Redis, backoffMs = 1_000): DeliveryQueue => {
  const queue: DeliveryQueue = new Queue(QUEUE_NAME, {
    connection: redis,
    defaultJobOptions: { attempts: ATTEMPTS, backoff: { type: 'exponential', delay: backoffMs } },
  });
  // Without a listener, a lost connection would end the process.
  return queue.on('error', ({ message }) => console.error(`queue: ${message}`));
};

/** Puts a delivery into the queue. BullMQ ignores a job whose id it knows. */
export const addJob = (queue: DeliveryQueue, delivery: Delivery): Promise<unknown> =>
  queue.add(delivery.event, delivery, { jobId: delivery.id });
