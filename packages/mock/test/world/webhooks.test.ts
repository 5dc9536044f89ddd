import { eventually, turns } from '@confab/internal/test-support';
import type { SignatureOptions } from '@confab/webhooks';
import { createWebhooks } from '@confab/webhooks';
import { expect, test } from 'vitest';
import type { Endpoint } from '../../src/index.ts';
import { MockError } from '../../src/index.ts';
import { open } from '../support/hosts.ts';
import { receiver, secret } from '../support/receiver.ts';

const PHONE = '+5511987654321';

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

test('a refused delivery is retried after 1 s, 5 s, 30 s, 2 min and 10 min, and then given up', async () => {
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
  await eventually(() => expect(mock.webhooks.deliveries[0]?.attempts).toHaveLength(1));
  expect(mock.clock.now()).toBe(began);
  await mock.clock.advance(1_999);
  expect(events).toHaveLength(1);
  expect(mock.clock.now()).toBe(began + 1_999);
  expect(mock.webhooks.deliveries[0]?.state).toBe('pending');
  await mock.clock.advance(1);
  expect(events).toHaveLength(2);
  expect(mock.webhooks.deliveries[0]?.state).toBe('delivered');
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
  mock.webhooks.deliveryFaults.once({ copies: 2 });
  await mock.inbound({ phone: PHONE, body: 'twice' });
  await mock.webhooks.flush();
  expect(events).toHaveLength(2);
  expect(events[0]).toEqual(events[1]);

  events.length = 0;
  mock.webhooks.deliveryFaults.once({ delayMs: 5_000 });
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
    const { events, ...endpoint } = receiver();
    mock.webhooks.add(endpoint);
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

test('an invalid endpoint throws when it is added', () => {
  const { mock } = open();
  expect(() => mock.webhooks.add({ url: 'ftp://receiver.test', secret })).toThrow(/ftp/);
  expect(() => mock.webhooks.add({ url: 'https://receiver.test', secret: '' })).toThrow(/secret/);
});

test('flush() moves on a delivery that was waiting for its retry before', async () => {
  const { mock } = open();
  const { events, ...endpoint } = receiver((nth) => (nth === 1 ? 500 : 204));
  mock.webhooks.add(endpoint);
  await mock.inbound({ phone: PHONE, body: 'Hello' });
  await eventually(() => expect(mock.webhooks.deliveries[0]?.attempts).toHaveLength(1));
  await turns(20);
  await mock.webhooks.flush();
  expect(mock.webhooks.deliveries[0]?.state).toBe('delivered');
});

test('an event that can not be sent uses up no delivery fault', async () => {
  const { mock } = open();
  const { events, ...endpoint } = receiver();
  mock.webhooks.add(endpoint);
  mock.webhooks.deliveryFaults.once({ copies: 2 });
  expect(() => mock.webhooks.emit('test', 1n)).toThrow(MockError);
  await mock.inbound({ phone: PHONE, body: 'twice' });
  await mock.webhooks.flush();
  expect(events).toHaveLength(2);
});

test('clear() removes the delivery faults that are planned', async () => {
  const { mock } = open();
  const { events, ...endpoint } = receiver();
  mock.webhooks.add(endpoint);
  mock.webhooks.deliveryFaults.once({ copies: 0 });
  mock.webhooks.deliveryFaults.clear();
  mock.webhooks.emit('test', {});
  await mock.webhooks.flush();
  expect(events).toHaveLength(1);
});

test('an event can be lost, and a delivery fault waits for an event that has an endpoint', async () => {
  const { mock } = open();
  mock.webhooks.deliveryFaults.once({ copies: 0 });
  mock.webhooks.emit('to nobody', {});
  const { events, ...endpoint } = receiver();
  mock.webhooks.add(endpoint);
  for (const body of ['lost', 'found']) {
    await mock.inbound({ phone: PHONE, body });
  }
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
  for (let nth = 0; nth < 10_010; nth += 1) {
    mock.webhooks.emit(String(nth), {});
  }
  await mock.webhooks.flush();
  const events = mock.webhooks.deliveries.map(({ event }) => event);
  expect([events.length, events[0], events.at(-1)]).toEqual([10_000, '10', '10009']);
});

test.each<[string, Partial<Record<keyof Endpoint, unknown>>, RegExp]>([
  [
    'a password in its URL',
    { url: 'https://user:pw@receiver.test/' },
    /must not contain a user name or password/,
  ],
  ['several secrets', { secret: ['one', 'two'] }, /`secret` of an endpoint must be a single secret/],
  ['a wait that is no number', { retries: [1_000, Number.NaN] }, /got NaN/],
  ['a wait into the past', { retries: [-5] }, /got -5/],
  ['a wait of ages', { retries: [1e15] }, /at most 100 years/],
  ['no time to answer', { timeout: 0 }, /got 0/],
])('an endpoint with %s is refused when it is added', (_, values, message) => {
  const { mock } = open();
  const endpoint = { url: 'https://receiver.test', secret, ...values } as Endpoint;
  expect(() => mock.webhooks.add(endpoint)).toThrow(message);
});

test('an undefined option of an endpoint is left out', async () => {
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
  { delayMs: 1e15 },
])('an invalid delivery fault is refused: %j', (fault) => {
  expect(() => open().mock.webhooks.deliveryFaults.once(fault)).toThrow(MockError);
});
