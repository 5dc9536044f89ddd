import { createClient } from '@confab/client';
import type { Mock } from '@confab/mock';
import { createMock } from '@confab/mock';

/** Sends the requests of the app in the pictures. */
const callApi = async (mock: Mock): Promise<void> => {
  const confab = createClient({ ...mock.clientOptions, retry: false });
  await mock.inbound({ phone: '+12025550199', channel: 'sms', body: 'Do you allow dogs?' });
  await mock.clock.advance(600_000);
  const { conversation } = await mock.inbound({
    phone: '+12025550143',
    channel: 'live_chat',
    body: 'Hello! Is the flat on Hill Street still free?',
  });
  await mock.clock.advance(40_000);
  mock.leads.update(conversation.leadId ?? '', { displayName: 'Amara Osei', email: 'amara@example.com' });
  await confab.conversations.sendMessage(conversation.id, {
    content: 'Hi! Yes, it is. Would you like to see it?',
  });
  await mock.clock.advance(95_000);
  await mock.inbound({
    conversationId: conversation.id,
    body: 'Very much. Does Thursday afternoon suit you?',
  });
  await mock.clock.advance(20_000);
  await confab.conversations.sendMessage(conversation.id, {
    content: 'Thursday at 15:00 works. See you there!',
  });
  await confab.leads.list({ status: 'new', limit: 25 });
  await confab.leads.create({ phone: '+12025550177', displayName: 'Noor Haddad' }).catch(() => {});
  mock.faults.once('leads.update', { status: 503, headers: { 'retry-after': '2' } });
  await confab.leads.update(conversation.leadId ?? '', { status: 'active' }).catch(() => {});
  await confab.leads.update(conversation.leadId ?? '', { status: 'active' });
  await confab.conversations.get('00000000-0000-4000-8000-000000000000').catch(() => {});
  await mock.webhooks.flush();
};

/** Creates a mock with conversations, requests, deliveries and faults, which are the same each time. */
export const createScene = async (): Promise<Mock> => {
  const mock = createMock({ data: 'demo', rateLimit: 60 });
  const url = 'http://127.0.0.1:3000/webhooks/confab';
  // The receiver refuses the first delivery, as if it were still starting.
  const statuses = [503];
  const receive = () => new Response(null, { status: statuses.pop() ?? 200 });
  const refuse = () => Promise.reject(new Error('connect ECONNREFUSED 127.0.0.1:3001'));
  mock.webhooks.add({ url, secret: 'secret-of-the-scene', fetch: receive });
  mock.webhooks.add({ url: 'http://127.0.0.1:3001/crm', secret: 'another', retries: [], fetch: refuse });
  mock.keys.create({ scopes: ['read:leads', 'read:conversations'], rateLimit: 10 });
  await callApi(mock);
  mock.faults.always('*', { delayMs: 2_000 });
  mock.faults.once('leads.create', { network: 'truncate' });
  return mock;
};
