import type { Webhooks } from '@confab/webhooks';
import { createWebhooks } from '@confab/webhooks';
import type { NodeRedisClient } from '@confab/webhooks/redis';
import { redisDedupeStore } from '@confab/webhooks/redis';

/** The headers that carry the signature and the id of deliveries in this example. */
export const signature = { header: 'x-webhook-signature' };
export const DELIVERY_ID = 'x-delivery-id';

/** Creates a receiver. All receivers that share a Redis handle each delivery only once. */
export const createReceiver = (client: NodeRedisClient, secret: string): Webhooks =>
  createWebhooks({
    secret,
    signature,
    dedupe: {
      key: ({ headers }) => headers.get(DELIVERY_ID) ?? undefined,
      store: redisDedupeStore({ client }),
      // Longer than the sender retries.
      ttlSeconds: 86_400,
      // Longer than the slowest handler runs. If a process dies, another can claim its delivery after this time.
      leaseSeconds: 60,
    },
  });
