import { createClient } from '@confab/client';
import { createMock } from '@confab/mock';
import { createWebhooks } from '@confab/webhooks';
import { setupWorker } from 'msw/browser';
import { view } from './view.ts';

// The service runs inside this page: a service worker responds to the page's requests.
const mock = createMock({ data: 'demo', clock: 'system' });
await setupWorker(...mock.handlers).start({ onUnhandledFrame: 'bypass', quiet: true });

// Webhook deliveries stay in the page, too.
const secret = 'whsec_of_this_page_only';
const webhooks = createWebhooks({ secret, signature: { header: 'x-webhook-signature' } });
mock.webhooks.add({ url: `${location.origin}/webhooks`, secret, fetch: webhooks.fetch });

// Requests use the page's network instead of mock.fetch, as in a real application.
const confab = createClient({
  baseUrl: mock.baseUrl,
  apiKey: mock.apiKey,
  // The key only works with the mock in this page.
  dangerouslyAllowBrowser: true,
});

let current: string | undefined;

const showConversations = async (): Promise<void> => {
  const open = await confab.conversations.list({ status: 'open', limit: 10 });
  view.conversations(open.data, current, show);
};

const show = async (id: string): Promise<void> => {
  current = id;
  const conversation = await confab.conversations.get(id);
  view.thread(conversation, conversation.messages);
  await showConversations();
};

view.reply.addEventListener('submit', async (event) => {
  event.preventDefault();
  const content = new FormData(view.reply).get('content');
  if (current === undefined || typeof content !== 'string') {
    return;
  }
  view.reply.reset();
  await confab.conversations.sendMessage(current, { content });
});

view.inbound.addEventListener('click', () =>
  mock.inbound({
    body: 'Hello, is anybody there?',
    ...(current === undefined ? { phone: '+5511987654321' } : { conversationId: current }),
  }),
);

webhooks.on('message.created', async ({ data }) => {
  if (data.conversationId === current) {
    await show(data.conversationId);
  } else {
    await showConversations();
  }
});

await showConversations();
