import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Delivery } from '@confab/webhooks';
import { createWebhooks } from '@confab/webhooks';
import { toNodeHandler } from '@confab/webhooks/node';
import { Redis } from 'ioredis';
import type { Environment } from './options.ts';
import { dedupeKey, signature } from './options.ts';
import type { DeliveryQueue } from './queue.ts';
import { addJob, createQueue, LOADING_RETRY_MS } from './queue.ts';

/** Settings of {@link startReceiver}. */
export interface ReceiverSettings extends Environment {
  /** 0 for any free port. */
  readonly port: number;
  /** Milliseconds before the second attempt of a job. */
  readonly backoffMs?: number;
  readonly add?: (queue: DeliveryQueue, delivery: Delivery) => Promise<unknown>;
}

/** A receiver that listens. */
export interface RunningReceiver {
  readonly port: number;
  /** Finishes the requests under way. */
  stop(): Promise<void>;
}

/** Starts a server that verifies deliveries and puts them into the queue. It listens once Redis can be reached. */
export const startReceiver = async ({
  redisUrl,
  secret,
  port,
  backoffMs,
  add = addJob,
}: ReceiverSettings): Promise<RunningReceiver> => {
  // While Redis is away, a delivery fails at once instead of waiting, so the sender gets a 500 and delivers it again.
  const redis = new Redis(redisUrl, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 5_000,
    maxLoadingRetryTime: LOADING_RETRY_MS,
  });
  redis.on('error', ({ message }) => console.error(`receiver: ${message}`));
  const queue = createQueue(redis, backoffMs);
  await queue.waitUntilReady();

  const webhooks = createWebhooks({
    secret,
    signature,
    dedupe: { key: dedupeKey },
    enqueue: (delivery) => add(queue, delivery),
  });
  webhooks.onError(({ code, cause }) =>
    console.error(`receiver: ${code}${cause instanceof Error ? `, ${cause.message}` : ''}`),
  );

  const server = createServer({ requestTimeout: 10_000 }, toNodeHandler(webhooks)).listen(port);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      await closed;
      await queue.close();
      redis.disconnect();
    },
  };
};
