import { createHash } from 'node:crypto';
import type { Delivery } from '@confab/webhooks';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';

export const QUEUE_NAME = 'webhook-deliveries';

/** How often a delivery is tried before it is a dead letter. */
export const ATTEMPTS = 5;

/**
 * The most milliseconds between two attempts to use a Redis that is loading its data. By default, ioredis believes the
 * estimate of Redis and may wait 10 s, in which a worker cannot record that its handlers have finished.
 */
export const LOADING_RETRY_MS = 500;

/** A queue of deliveries. */
export type DeliveryQueue = Queue<Delivery>;

/**
 * Creates the queue. Failed jobs stay in its failed set, the dead letters of this example.
 *
 * @param backoffMs Milliseconds before the second attempt. The wait doubles with each further attempt.
 */
export const createQueue = (redis: Redis, backoffMs = 1_000): DeliveryQueue => {
  const queue: DeliveryQueue = new Queue(QUEUE_NAME, {
    connection: redis,
    defaultJobOptions: { attempts: ATTEMPTS, backoff: { type: 'exponential', delay: backoffMs } },
  });
  // Without a listener, a lost connection would end the process.
  queue.on('error', ({ message }) => console.error(`queue: ${message}`));
  return queue;
};

/** BullMQ ignores a job whose id it knows. Its ids must not contain colons or be numbers, so a delivery's id is hashed. */
export const jobIdOf = ({ id }: Delivery): string =>
  `delivery-${createHash('sha256').update(id).digest('hex')}`;

/** Puts a delivery into the queue. */
export const addJob = (queue: DeliveryQueue, delivery: Delivery): Promise<unknown> =>
  queue.add(delivery.event, delivery, { jobId: jobIdOf(delivery) });
