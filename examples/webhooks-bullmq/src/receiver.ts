import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWebhooks } from '@confab/webhooks';
import { toNodeHandler } from '@confab/webhooks/node';
import { addJob, connect, createQueue, dedupe, signature } from './queue.ts';

/** Settings of {@link startReceiver}. */
export interface ReceiverSettings {
  readonly redisUrl: string;
  readonly secret: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly backoffMs?: number;
  readonly add?: typeof addJob;
}

/** Starts a server that verifies deliveries and puts them into the queue. It listens once Redis can be reached. */
export const startReceiver = async ({
  redisUrl,
  secret,
  port,
  backoffMs,
  add = addJob,
}: ReceiverSettings) => {
  // While Redis is down, a delivery fails at once instead of waiting. The sender gets a 500 and delivers it again.
  const redis = connect(redisUrl, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 5_000,
  });
  const queue = createQueue(redis, backoffMs);
  await queue.waitUntilReady();

  const webhooks = createWebhooks({
    secret,
    signature,
    dedupe,
    enqueue: async (delivery) => {
      await add(queue, delivery);
    },
  });
  webhooks.onError(({ code, cause }) =>
    console.error(`receiver: ${code}${cause instanceof Error ? `, ${cause.message}` : ''}`),
  );
  const server = createServer({ requestTimeout: 10_000 }, toNodeHandler(webhooks)).listen(port);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** Finishes the requests in progress. */
    async stop(): Promise<void> {
      server.close();
      await once(server, 'close');
      await queue.close();
      redis.disconnect();
    },
  };
};
