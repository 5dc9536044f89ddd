import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWebhooks, type SignatureOptions } from '@confab/webhooks';
import { expect, test } from 'vitest';
import { open } from './hosts.ts';
import { toNodeListener } from './to-node-listener.ts';

const secret = 'whsec_0123456789';
const signature: SignatureOptions = { header: 'x-webhook-signature', encoding: 'hex' };
const PHONE = '+5511987654321';

/** A receiver in this process that keeps what it verified, and answers as told. */
const receiver = (answer: (nth: number) => number = () => 200) => {
  const webhooks = createWebhooks({ secret, signature });
  const events: unknown[] = [];
  let nth = 0;
  const fetch = async (request: Request): Promise<Response> => {
    const { event, data } = await webhooks.unwrap(await request.text(), request.headers);
    events.push({ event, data });
    nth += 1;
    return new Response(null, { status: answer(nth) });
  };
  return { url: 'https://receiver.test/webhooks', secret, fetch, events };
};

test('a message sent through the API delivers a signed message.created', async () => {
  const { mock, send } = open();
  const { events, ...endpoint } = receiver();
  mock.webhooks.add(endpoint);
  const conversation = mock.conversations.create({ channel: 'email' });
  await send('conversations.sendMessage', { id: conversation.id, body: { content: 'Olá 👋' } });
  await mock.webhooks.flush();
  expect(events).toEqual([
    { event: 'message.created', data: { conversationId: conversation.id, channel: 'email', body: 'Olá 👋' } },
  ]);
  expect(mock.webhooks.deliveries).toMatchObject([
    { state: 'delivered', event: 'message.created', attempts: [{ status: 200 }] },
  ]);
});

test('inbound() makes lead, conversation and message as needed, and delivers message.created', async () => {
  const { mock } = open();
  const { events, ...endpoint } = receiver();
  mock.webhooks.add(endpoint);

  const first = await mock.inbound({ phone: '+55 11 98765-4321', channel: 'messaging', body: 'Hello' });
  const second = await mock.inbound({ phone: PHONE, channel: 'messaging', body: 'Anyone there?' });
  await mock.webhooks.flush();

  expect(first.lead).toMatchObject({ phone: PHONE, status: 'new' });
  expect(first.conversation).toMatchObject({ leadId: first.lead.id, channel: 'messaging', status: 'open' });
  expect(first.message).toMatchObject({ senderType: 'lead', direction: 'inbound', content: 'Hello' });
  expect(second.lead.id).toBe(first.lead.id);
  expect(second.conversation.id).toBe(first.conversation.id);
  expect(second.conversation.lastMessageAt).toBe(second.message.createdAt);
  expect([mock.leads.count(), mock.conversations.count(), mock.messages.count()]).toEqual([1, 1, 2]);
  expect(events).toEqual([
    expect.objectContaining({ data: expect.objectContaining({ body: 'Hello' }) }),
    expect.objectContaining({ data: expect.objectContaining({ body: 'Anyone there?' }) }),
  ]);
});

test('inbound() opens a new conversation on another channel, and after the last one was resolved', async () => {
  const { mock } = open();
  const first = await mock.inbound({ phone: PHONE, body: 'One' });
  const elsewhere = await mock.inbound({ phone: PHONE, channel: 'email', body: 'Two' });
  mock.conversations.update(first.conversation.id, { status: 'resolved' });
  const again = await mock.inbound({ phone: PHONE, body: 'Three' });
  expect(new Set([first, elsewhere, again].map(({ conversation }) => conversation.id)).size).toBe(3);
  expect(mock.leads.count()).toBe(1);
});

test('inbound() into a conversation by its id makes the lead that it lacks', async () => {
  const { mock } = open();
  const { id } = mock.conversations.create({ channel: 'email' });
  const { lead, conversation } = await mock.inbound({ conversationId: id, body: 'Hi' });
  expect(conversation).toMatchObject({ id, leadId: lead.id });
  expect((await mock.inbound({ conversationId: id, body: 'Hi again' })).lead.id).toBe(lead.id);
  await expect(mock.inbound({ body: 'Hi' })).rejects.toThrow(/phone/);
  await expect(mock.inbound({ conversationId: lead.id, body: 'Hi' })).rejects.toThrow(lead.id);
  await expect(mock.inbound({ phone: 'nobody', body: 'Hi' })).rejects.toThrow(/E\.164/);
});

test('a refused delivery is tried again after 1 s, 5 s, 30 s, 2 min and 10 min, and then given up', async () => {
  const { mock } = open();
  const { events, ...endpoint } = receiver(() => 503);
  mock.webhooks.add(endpoint);
  const began = mock.clock.now();
  await mock.inbound({ phone: PHONE, body: 'Hello' });
  await mock.webhooks.flush();
  const [delivery] = mock.webhooks.deliveries;
  expect(delivery?.state).toBe('failed');
  expect(delivery?.attempts.map(({ at, status }) => [at - began, status])).toEqual([
    [0, 503],
    [1_000, 503],
    [6_000, 503],
    [36_000, 503],
    [156_000, 503],
    [756_000, 503],
  ]);
  expect(events).toHaveLength(6);
});

test('without flush() time does not move by itself for a retry, and advance() moves it', async () => {
  const { mock } = open();
  const { events, ...endpoint } = receiver((nth) => (nth === 1 ? 500 : 204));
  mock.webhooks.add({ ...endpoint, retries: [2_000] });
  const began = mock.clock.now();
  await mock.inbound({ phone: PHONE, body: 'Hello' });
  await expect.poll(() => mock.webhooks.deliveries[0]?.attempts).toHaveLength(1);
  expect(mock.clock.now()).toBe(began);
  await mock.clock.advance(1_999);
  expect(events).toHaveLength(1);
  expect(mock.clock.now()).toBe(began + 1_999);
  expect(mock.webhooks.deliveries[0]?.state).toBe('pending');
  await mock.clock.advance(1);
  expect(events).toHaveLength(2);
  expect(mock.webhooks.deliveries[0]?.state).toBe('delivered');
});

test('deliveries reach a real receiver over HTTP', async () => {
  const { mock } = open();
  const webhooks = createWebhooks({ secret, signature });
  const bodies: string[] = [];
  webhooks.on('message.created', ({ data }) => {
    bodies.push(data.body);
  });
  const server = createServer(toNodeListener(webhooks.fetch));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  mock.webhooks.add({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    secret,
    retries: [],
  });
  mock.webhooks.add({ url: 'http://127.0.0.1:1/', secret, retries: [] });
  await mock.inbound({ phone: PHONE, body: 'Over the wire' });
  await mock.webhooks.flush();
  expect(bodies).toEqual(['Over the wire']);
  expect(mock.webhooks.deliveries.map(({ state }) => state)).toEqual(['delivered', 'failed']);
  expect(mock.webhooks.deliveries[1]?.attempts[0]).toMatchObject({
    status: undefined,
    error: expect.any(String),
  });
  server.closeAllConnections();
  server.close();
});

test('a delivery follows the signature options of its endpoint, with timestamps of the clock', async () => {
  const { mock } = open();
  const scheme: SignatureOptions = {
    header: 'x-signature',
    encoding: 'base64',
    prefix: 'v1=',
    timestamp: { header: 'x-timestamp' },
  };
  const webhooks = createWebhooks({ secret, signature: scheme, now: mock.clock.now });
  const seen: string[] = [];
  webhooks.on('message.created', ({ data }) => {
    seen.push(data.body);
  });
  mock.webhooks.add({ url: 'https://receiver.test/', secret, signature: scheme, fetch: webhooks.fetch });
  await mock.inbound({ phone: PHONE, body: 'Signed' });
  await mock.webhooks.flush();
  expect(seen).toEqual(['Signed']);
});

test('the next event can be duplicated, or delayed so that the one after it overtakes it', async () => {
  const { mock } = open();
  const { events, ...endpoint } = receiver();
  mock.webhooks.add(endpoint);
  mock.webhooks.disturb({ copies: 2 });
  await mock.inbound({ phone: PHONE, body: 'twice' });
  await mock.webhooks.flush();
  expect(events).toHaveLength(2);
  expect(events[0]).toEqual(events[1]);

  events.length = 0;
  mock.webhooks.disturb({ delayMs: 5_000 });
  await mock.inbound({ phone: PHONE, body: 'late' });
  await mock.inbound({ phone: PHONE, body: 'early' });
  await mock.webhooks.flush();
  expect(events).toMatchObject([{ data: { body: 'early' } }, { data: { body: 'late' } }]);
});

test('events that the API leaves unnamed are sent under the names that the user gives, and not without', async () => {
  const named = open({
    webhooks: { events: { newConversation: 'conversation.created', statusChange: 'lead.moved' } },
  });
  const unnamed = open();
  for (const { mock, send } of [named, unnamed]) {
    const { lead } = await mock.inbound({ phone: PHONE, body: 'Hi' });
    mock.webhooks.add(receiver());
    await send('leads.update', { id: lead.id, body: { status: 'active' } });
    await send('leads.update', { id: lead.id, body: { status: 'active' } });
    await mock.inbound({ phone: '+5511987654322', body: 'Hi' });
    await mock.webhooks.flush();
  }
  expect(named.mock.webhooks.deliveries.map(({ event }) => event)).toEqual([
    'lead.moved',
    'conversation.created',
    'message.created',
  ]);
  expect(named.mock.webhooks.deliveries[0]?.data).toMatchObject({ from: 'new', to: 'active' });
  expect(unnamed.mock.webhooks.deliveries.map(({ event }) => event)).toEqual(['message.created']);
});

test('an endpoint that could never be delivered to is refused when it is added', () => {
  const { mock } = open();
  expect(() => mock.webhooks.add({ url: 'ftp://receiver.test', secret })).toThrow(/ftp/);
  expect(() => mock.webhooks.add({ url: 'https://receiver.test', secret: '' })).toThrow(/secret/);
});
