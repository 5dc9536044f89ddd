import { createClient } from '@confab/client';
import { createMock } from '@confab/mock';
import { createWebhooks } from '@confab/webhooks';

const mock = createMock({
  agents: { respond: (_agent, userMessage) => `You asked "${userMessage}" Yes, we do.` },
});
const confab = createClient(mock.clientOptions);
const [agent] = await confab.agents.list();

const secret = 'whsec_0123456789';
const webhooks = createWebhooks({ secret, signature: { header: 'x-webhook-signature' } });
webhooks.on('message.created', async ({ data: { conversationId, body } }) => {
  // The API sends this event for messages of both sides. Without this check, the agent would respond to itself.
  const { messages } = await confab.conversations.get(conversationId, { messagesLimit: 20 });
  const fromUs = messages.some(({ direction, content }) => direction === 'outbound' && content === body);
  console.log(`${fromUs ? 'Us' : 'Lead'}: ${body}`);
  if (agent && !fromUs) {
    const { text } = await confab.agents.invoke(agent.id, { userMessage: body });
    await confab.conversations.sendMessage(conversationId, { content: text });
  }
});
mock.webhooks.add({ url: 'https://receiver.test/webhooks', secret, fetch: webhooks.fetch });

const { conversation } = await mock.inbound({ phone: '+447700900001', body: 'Do you deliver on Sundays?' });
await mock.webhooks.flush();

console.log(`${mock.messages.count({ conversationId: conversation.id })} messages in the conversation`);
console.log(mock.webhooks.deliveries.map(({ event, state }) => `${event} ${state}`).join(', '));
//=> Lead: Do you deliver on Sundays?
//=> Us: You asked "Do you deliver on Sundays?" Yes, we do.
//=> 2 messages in the conversation
//=> message.created delivered, message.created delivered
