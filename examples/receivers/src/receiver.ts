import type { Confab } from '@confab/client';
import type { Webhooks } from '@confab/webhooks';
import { createWebhooks } from '@confab/webhooks';

/** Creates the receiver. A new lead who writes becomes active. */
export const createReceiver = (confab: Confab, secret: string): Webhooks => {
  const webhooks = createWebhooks({ secret, signature: { header: 'x-webhook-signature' } });

  webhooks.on('message.created', async ({ data }) => {
    const { leadId } = await confab.conversations.get(data.conversationId, { messagesLimit: 1 });
    if (leadId === null) {
      return;
    }
    const lead = await confab.leads.get(leadId);
    if (lead.status === 'new') {
      await confab.leads.update(leadId, { status: 'active' });
    }
  });
  webhooks.onError((error) => console.error(error.code, error.message, error.cause));
  return webhooks;
};
