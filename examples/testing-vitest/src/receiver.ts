import type { Confab } from '@confab/client';
import type { Webhooks } from '@confab/webhooks';
import { createWebhooks } from '@confab/webhooks';

/** Matches the message of a lead who wants no more messages. */
const STOP = /^\s*stop\s*$/i;

/** Creates a receiver whose handler sets the status of a lead who writes "stop" to `lost`. */
export const createReceiver = (confab: Confab, secret: string): Webhooks => {
  const webhooks = createWebhooks({ secret, signature: { header: 'x-webhook-signature' } });

  webhooks.on('message.created', async ({ data }) => {
    if (!STOP.test(data.body)) {
      return;
    }
    const { leadId } = await confab.conversations.get(data.conversationId, { messagesLimit: 1 });
    if (leadId !== null) {
      await confab.leads.update(leadId, { status: 'lost' });
    }
  });
  return webhooks;
};
