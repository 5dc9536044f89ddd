import type { Confab } from '@confab/client';
import type { Webhooks } from '@confab/webhooks';
import { createWebhooks } from '@confab/webhooks';

/** Creates a receiver whose handler lets the first agent of the account answer questions. */
export const answerQuestions = (confab: Confab, secret: string): Webhooks => {
  const webhooks = createWebhooks({ secret, signature: { header: 'x-webhook-signature' } });

  webhooks.on('message.created', async ({ data: { conversationId, body } }) => {
    if (!body.endsWith('?')) {
      return;
    }
    // Our own messages are delivered too, without their author: an agent that asks back would answer itself.
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
