import type { Webhooks } from '@confab/webhooks';
import { createWebhooks } from '@confab/webhooks';
import { confab } from './confab.ts';

let webhooks: Webhooks | undefined;

const create = (): Webhooks => {
  const created = createWebhooks({
    secret: process.env.WEBHOOK_SECRET ?? '',
    signature: { header: 'x-webhook-signature' },
  });
  // A new lead who writes becomes active.
  created.on('message.created', async ({ data }) => {
    const { leadId } = await confab().conversations.get(data.conversationId, { messagesLimit: 1 });
    if (leadId === null) {
      return;
    }
    const lead = await confab().leads.get(leadId);
    if (lead.status === 'new') {
      await confab().leads.update(leadId, { status: 'active' });
    }
  });
  created.onError((error) => console.error(error.code, error.message, error.cause));
  return created;
};

/** Returns the only receiver of this server. Like the client, it is created at the first request. */
export const receiver = (): Webhooks => (webhooks ??= create());
