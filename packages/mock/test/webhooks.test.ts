import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@confab/client';
import { createWebhooks, type SignatureOptions } from '@confab/webhooks';
import { expect, test } from 'vitest';
import type { Endpoint } from '../src/index.ts';
import { open } from './hosts.ts';
import { toNodeListener } from './to-node-listener.ts';

const secret = 'whsec_0123456789';
const signature: SignatureOptions = { header: 'x-webhook-signature', encoding: 'hex' };
const PHONE = '+5511987654321';

const turns = async (count: number) => {
  for (let at = 0; at < count; at += 1) await new Promise((resolve) => setImmediate(resolve));
};

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

test('a receiver may itself wait on the clock of the mock: it answers through a client, under a limit', async () => {
  const { mock } = open({ latency: 50, rateLimit: 1 });
  const confab = createClient(mock.clientOptions);
  mock.webhooks.add({
    url: 'https://receiver.test',
    secret,
    retries: [],
    timeout: 120_000,
    fetch: async (request) => {
      const { data } = (await request.json()) as { data: { conversationId: string; body: string } };
      if (data.body === 'Hi') {
        await confab.conversations.get(data.conversationId);
        await confab.conversations.sendMessage(data.conversationId, { content: 'Welcome' });
      }
      return new Response(null, { status: 204 });
    },
  });
  const { conversation } = await mock.inbound({ phone: PHONE, body: 'Hi' });
  await mock.webhooks.flush();
  // flush() waits for what deliveries bring about, too.
  expect(mock.webhooks.deliveries.map(({ state, attempts }) => [state, attempts.length])).toEqual([
    ['delivered', 1],
    ['delivered', 1],
  ]);
  const contents = mock.messages.find({ conversationId: conversation.id }).map(({ content }) => content);
  expect(contents).toEqual(['Welcome', 'Hi']);
});

test('a receiver that never answers is given up after 10 s of the clock, and holds up nobody', async () => {
  const { mock } = open();
  const began = mock.clock.now();
  let aborted: unknown;
  mock.webhooks.add({
    url: 'https://receiver.test',
    secret,
    retries: [1_000],
    fetch: (request) => {
      request.signal.addEventListener('abort', () => {
        aborted = request.signal.reason;
      });
      return new Promise(() => {});
    },
  });
  await mock.inbound({ phone: PHONE, body: 'Hi' });
  await mock.clock.sleep(1_000);
  expect(mock.clock.now() - began).toBe(1_000);
  await mock.clock.advance(9_000);
  await expect.poll(() => mock.webhooks.deliveries[0]?.attempts).toHaveLength(1);
  expect(aborted).toMatchObject({ name: 'TimeoutError' });
  await mock.webhooks.flush();
  expect(mock.webhooks.deliveries[0]).toMatchObject({
    state: 'failed',
    attempts: [
      { at: began, status: undefined, error: 'TimeoutError: No answer within 10000 ms' },
      { at: began + 11_000, status: undefined, error: 'TimeoutError: No answer within 10000 ms' },
    ],
  });
  expect(mock.clock.now() - began).toBe(21_000);
});

test('how long a receiver may take is up to its endpoint', async () => {
  const { mock } = open();
  const fetch = async () => {
    await mock.clock.sleep(60_000);
    return new Response(null, { status: 204 });
  };
  for (const timeout of [59_999, 60_001, Number.POSITIVE_INFINITY])
    mock.webhooks.add({ url: 'https://receiver.test', secret, retries: [], timeout, fetch });
  mock.webhooks.emit('test', {});
  await mock.webhooks.flush();
  expect(mock.webhooks.deliveries.map(({ state }) => state)).toEqual(['failed', 'delivered', 'delivered']);
});

test('flush() moves on a delivery that was waiting for its retry before', async () => {
  const { mock } = open();
  const { events, ...endpoint } = receiver((nth) => (nth === 1 ? 500 : 204));
  mock.webhooks.add(endpoint);
  await mock.inbound({ phone: PHONE, body: 'Hello' });
  await expect.poll(() => mock.webhooks.deliveries[0]?.attempts).toHaveLength(1);
  await turns(20);
  await mock.webhooks.flush();
  expect(mock.webhooks.deliveries[0]?.state).toBe('delivered');
});

test.each([
  ['never settles', () => new Promise<void>(() => {})],
  ['throws', () => Promise.reject(new Error('nope'))],
])('an answer whose body %s when it is thrown away was given', async (_, cancel) => {
  const { mock } = open();
  const fetch = () => new Response(new ReadableStream({ cancel }), { status: 200 });
  mock.webhooks.add({ url: 'https://receiver.test', secret, fetch });
  mock.webhooks.emit('test', {});
  await mock.webhooks.flush();
  expect(mock.webhooks.deliveries[0]).toMatchObject({ state: 'delivered', attempts: [{ status: 200 }] });
});

test.each([301, 302, 400, 404, 410, 500])(
  'a receiver that answers %i has not taken the delivery',
  async (status) => {
    const { mock } = open();
    const fetch = () => new Response(null, { status, headers: { location: 'https://elsewhere.test' } });
    mock.webhooks.add({ url: 'https://receiver.test', secret, retries: [1_000], fetch });
    mock.webhooks.emit('test', {});
    await mock.webhooks.flush();
    expect(mock.webhooks.deliveries[0]).toMatchObject({
      state: 'failed',
      attempts: [{ status }, { status }],
    });
  },
);

test('a delivery is JSON, goes to every endpoint, and follows no redirect to another host', async () => {
  const { mock } = open();
  const seen: Request[] = [];
  const fetch = (request: Request) => {
    seen.push(request);
    return new Response(null, { status: 204 });
  };
  for (const host of ['one', 'two']) mock.webhooks.add({ url: `https://${host}.test/`, secret, fetch });
  mock.webhooks.disturb({ copies: 2 });
  mock.webhooks.emit('test', { n: 1 });
  await mock.webhooks.flush();
  expect(seen.map(({ url, method, redirect }) => [url, method, redirect])).toEqual(
    ['https://one.test/', 'https://one.test/', 'https://two.test/', 'https://two.test/'].map((url) => [
      url,
      'POST',
      'manual',
    ]),
  );
  expect(seen[0]!.headers.get('content-type')).toBe('application/json');
  expect(await seen[0]!.json()).toEqual({ event: 'test', data: { n: 1 } });
});

test('an event can be lost, and a disturbance waits for somebody to disturb', async () => {
  const { mock } = open();
  mock.webhooks.disturb({ copies: 0 });
  mock.webhooks.emit('to nobody', {});
  const { events, ...endpoint } = receiver();
  mock.webhooks.add(endpoint);
  for (const body of ['lost', 'found']) await mock.inbound({ phone: PHONE, body });
  await mock.webhooks.flush();
  expect(events).toMatchObject([{ data: { body: 'found' } }]);
});

test('the log keeps the latest 10,000 deliveries', async () => {
  const { mock } = open();
  mock.webhooks.add({
    url: 'https://receiver.test',
    secret,
    fetch: () => new Response(null, { status: 204 }),
  });
  for (let nth = 0; nth < 10_010; nth += 1) mock.webhooks.emit(String(nth), {});
  await mock.webhooks.flush();
  const events = mock.webhooks.deliveries.map(({ event }) => event);
  expect([events.length, events[0], events.at(-1)]).toEqual([10_000, '10', '10009']);
});

test.each<[string, Partial<Record<keyof Endpoint, unknown>>, RegExp]>([
  ['a password in its URL', { url: 'https://user:pw@receiver.test/' }, /no user name and no password/],
  ['several secrets', { secret: ['one', 'two'] }, /secret of an endpoint is one/],
  ['a wait that is no number', { retries: [1_000, Number.NaN] }, /not NaN/],
  ['a wait into the past', { retries: [-5] }, /not -5/],
  ['no time to answer', { timeout: 0 }, /not 0/],
])('an endpoint with %s is refused when it is added', (_, values, message) => {
  const { mock } = open();
  const endpoint = { url: 'https://receiver.test', secret, ...values } as Endpoint;
  expect(() => mock.webhooks.add(endpoint)).toThrow(message);
});

test('what an endpoint has as undefined is left out', async () => {
  const { mock } = open();
  const { events, fetch, url } = receiver();
  const endpoint = { url, secret, fetch, signature: undefined, retries: undefined } as unknown as Endpoint;
  mock.webhooks.add(endpoint);
  mock.webhooks.emit('message.created', { conversationId: crypto.randomUUID(), channel: 'email', body: '' });
  await mock.webhooks.flush();
  expect(events).toHaveLength(1);
});

test.each([
  { copies: -1 },
  { copies: 1.5 },
  { copies: Number.NaN },
  { delayMs: -1 },
  { delayMs: Number.NaN },
])('a disturbance that can not be is refused: %j', (disturbance) => {
  expect(() => open().mock.webhooks.disturb(disturbance)).toThrow(RangeError);
});
