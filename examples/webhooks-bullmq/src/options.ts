import type { DedupeOptions, Webhooks } from '@confab/webhooks';

/** The headers that carry the signature and the id of deliveries in this example. */
export const signature = { header: 'x-webhook-signature' };
export const DELIVERY_ID = 'x-delivery-id';

/** Receiver and workers need the same key: the receiver derives the id of a delivery from it. */
export const dedupeKey: DedupeOptions['key'] = ({ headers }) => headers.get(DELIVERY_ID) ?? undefined;

/** What the programs read from their environment. */
export interface Environment {
  readonly redisUrl: string;
  readonly secret: string;
}

/** Reads the environment of a program. Without a secret, the program ends. */
export const readEnvironment = (): Environment => {
  const secret = process.env.CONFAB_WEBHOOK_SECRET;
  if (!secret) {
    console.error('No secret. Set CONFAB_WEBHOOK_SECRET to the secret that you share with the sender.');
    process.exit(2);
  }
  return { secret, redisUrl: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379' };
};

/** Adds the handlers of an app to a worker. */
export type AddHandlers = (webhooks: Webhooks) => void;
