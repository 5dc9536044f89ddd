import type { Confab } from '@confab/client';
import type { Webhooks } from '@confab/webhooks';
import { createConfab } from '../contact.ts';
import { createReceiver } from '../receiver.ts';

// Both are created at the first request, because `next build` loads every route on machines without a key and a secret.
let confab: Confab | undefined;
let webhooks: Webhooks | undefined;

/** Returns the only client of this server. */
export const getConfab = (): Confab => (confab ??= createConfab());

/** Returns the only receiver of this server. */
export const getWebhooks = (): Webhooks =>
  (webhooks ??= createReceiver(getConfab(), process.env.WEBHOOK_SECRET ?? ''));
