import type { Confab } from '@confab/client';
import type { Webhooks } from '@confab/webhooks';
import { createWebhooks } from '@confab/webhooks';

/** Receives deliveries: the first agent of the account answers questions. */
export const answerQuestions = (confab: Confab, secret: string): Webhooks => {
  const webhooks = createWebhooks({ secret, signature: { header: 'x-webhook-signature' } });

  webhooks.on('message.created', async ({ data: { conversationId, body } }) => {
    if (!body.endsWith('?')) {
      return;
    }
    // What we send is delivered too, and does not say who wrote it: an agent that asks back would answer itself.
    const { messages } = await confab.conversations.get(conversationId);
    if (messages.some(({ direction, content }) => direction === 'outbound' && content === body)) {
      return;
    }
    const [agent] = await confab.agents.list();
    if (agent === undefined) {
      return;
    }
    const { text } = await confab.agents.invoke(agent.id, { userMessage: body });
    await confab.conversations.sendMessage(conversationId, { content: text });
  });
  return webhooks;
};
