import type { Webhooks } from '@confab/webhooks';
import { createWebhooks } from '@confab/webhooks';
import type { RedisCommands } from './redis-dedupe-store.ts';
import { createRedisDedupeStore } from './redis-dedupe-store.ts';

/** Where the deliveries of this example carry their signature and their id. */
export const signature = { header: 'x-webhook-signature' };
export const DELIVERY_ID = 'x-delivery-id';

/** A receiver that runs a delivery once, however many receivers share the Redis. */
export const createReceiver = (redis: RedisCommands, secret: string): Webhooks =>
  createWebhooks({
    secret,
    signature,
    dedupe: {
      key: ({ headers }) => headers.get(DELIVERY_ID) ?? undefined,
      store: createRedisDedupeStore(redis),
      // Longer than the sender retries.
      ttlSeconds: 86_400,
      // Longer than the slowest handler: if a process dies with a claim, another may take it after this.
      leaseSeconds: 60,
    },
  });
