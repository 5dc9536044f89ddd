import { eventually, turns } from '@confab/internal/test-support';
import type { SignatureOptions, SignatureScheme } from '@confab/webhooks';
import { createWebhooks, standardWebhooks, timestamped } from '@confab/webhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Endpoint } from '../../src/index.ts';
import { MockError } from '../../src/index.ts';
import { open, PHONE } from '../support/hosts.ts';
import { keeper, receiver, secret } from '../support/receiver.ts';

const SCHEME_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** A mock with an endpoint whose receiver keeps the verified events. */
const receiving = (values: Partial<Endpoint> = {}, ...statuses: readonly number[]) => {
  const { mock, send } = open();
  const { events, endpoint } = receiver(...statuses);
  const id = mock.webhooks.add({ ...endpoint, ...values });
  return { mock, send, events, id };
};

test('a message sent through the API delivers a signed message.created', async () => {
  const { mock, send, events } = receiving();
  const conversation = mock.conversations.create({ channel: 'email' });
  await send('conversations.sendMessage', { id: conversation.id, body: { content: 'Olá 👋' } });
  await mock.webhooks.flush();
  expect(events).toEqual([
    { event: 'message.created', data: { conversationId: conversation.id, channel: 'email', body: 'Olá 👋' } },
  ]);
  expect(mock.webhooks.deliveries).toMatchObject([{ state: 'delivered', attempts: [{ status: 200 }] }]);
});

test('a refused delivery is retried after 1 s, 5 s, 30 s, 2 min and 10 min, and then fails', async () => {
  const statuses = [301, 302, 400, 404, 410, 500];
  const { mock } = receiving({}, ...statuses);
  const began = mock.clock.now();
  await mock.inbound({ phone: PHONE, body: 'Hello' });
  await mock.webhooks.flush();
  const waited = [0, 1_000, 6_000, 36_000, 156_000, 756_000];
  const attempts = statuses.map((status, index) => ({ status, at: began + waited[index]! }));
  expect(mock.webhooks.deliveries).toMatchObject([{ state: 'failed', attempts }]);
});

test('a retry does not make time pass, but flush() and advance() do', async () => {
  const { mock, events } = receiving({ retries: [2_000] }, 500, 204);
  const began = mock.clock.now();
  mock.webhooks.emit('test', {});
  await eventually(() => expect(mock.webhooks.deliveries[0]?.attempts).toHaveLength(1));
  await turns(20);
  expect(mock.clock.now()).toBe(began);
  await mock.clock.advance(1_999);
  expect([events.length, mock.webhooks.deliveries[0]?.state]).toEqual([1, 'pending']);
  await mock.clock.advance(1);
  expect([events.length, mock.webhooks.deliveries[0]?.state]).toEqual([2, 'delivered']);
});

test.each<[string, SignatureScheme | SignatureOptions]>([
  ['Standard Webhooks', standardWebhooks()],
  ['a timestamp in the header', timestamped({ header: 'stripe-signature' })],
  [
    'a scheme made from options',
    { header: 'x-sign', encoding: 'base64', prefix: 'v1=', timestamp: { header: 'x-time' } },
  ],
])('deliveries are signed with %s, also after a restore()', async (_, signature) => {
  const { mock } = open();
  const bodies: string[] = [];
  const webhooks = createWebhooks({ secret: SCHEME_SECRET, signature, now: mock.clock.now });
  webhooks.on('message.created', ({ data }) => {
    bodies.push(data.body);
  });
  const { fetch } = webhooks;
  mock.webhooks.add({ url: 'https://receiver.test/', secret: SCHEME_SECRET, signature, fetch });
  const before = mock.snapshot();
  for (const body of ['one', 'two']) {
    mock.restore(before);
    await mock.inbound({ phone: PHONE, body });
    await mock.webhooks.flush();
  }
  expect(bodies).toEqual(['one', 'two']);
});

test('events are sent in the order of emit(), even if signing the first one takes longer', async () => {
  // Without node:crypto, threads sign the bodies, and a short body is signed before a long one.
  const builtin = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
  onTestFinished(() => {
    builtin.mockRestore();
    // Other files of this worker must not get the modules that were loaded without Node's.
    vi.resetModules();
  });
  vi.resetModules();
  const { createMock } = await import('../../src/index.ts');
  const mock = createMock();
  const { seen, endpoint } = keeper();
  mock.webhooks.add(endpoint);
  mock.webhooks.emit('long', 'x'.repeat(8_000_000));
  mock.webhooks.emit('short', '');
  await mock.webhooks.flush();
  const bodies = await Promise.all(seen.map((request) => request.json()));
  expect(bodies).toMatchObject([{ event: 'long' }, { event: 'short' }]);
});

test('deliveryFaults.once() duplicates the next event, loses it, or delays it so that the next overtakes it', async () => {
  const { mock } = open();
  mock.webhooks.deliveryFaults.once({ copies: 2 });
  // The fault stays planned until an event has an endpoint and can be sent.
  mock.webhooks.emit('to nobody', {});
  const { events, endpoint } = receiver();
  mock.webhooks.add(endpoint);
  expect(() => mock.webhooks.emit('unsendable', 1n)).toThrow(MockError);
  mock.webhooks.emit('twice', {});
  await mock.webhooks.flush();
  mock.webhooks.deliveryFaults.once({ delayMs: 5_000 });
  mock.webhooks.emit('late', {});
  mock.webhooks.emit('early', {});
  await mock.webhooks.flush();
  mock.webhooks.deliveryFaults.once({ copies: 0 });
  mock.webhooks.emit('lost', {});
  mock.webhooks.deliveryFaults.once({ copies: 0 });
  mock.webhooks.deliveryFaults.clear();
  mock.webhooks.emit('found', {});
  await mock.webhooks.flush();
  const names = events.map((each) => (each as { event: string }).event);
  expect(names).toEqual(['twice', 'twice', 'early', 'late', 'found']);
});

test('events without a documented name are sent only under the names of webhooks.events', async () => {
  const names = { newConversation: 'conversation.created', statusChange: 'lead.moved' };
  const named = open({ webhooks: { events: names } });
  const unnamed = open();
  for (const { mock, send } of [named, unnamed]) {
    const { lead } = await mock.inbound({ phone: PHONE, body: 'Hi' });
    mock.webhooks.add({ url: 'https://receiver.test', secret, fetch: () => new Response() });
    await send('leads.update', { id: lead.id, body: { status: 'active' } });
    await send('leads.update', { id: lead.id, body: { status: 'active' } });
    await mock.inbound({ phone: '+5511987654322', body: 'Hi' });
    await mock.webhooks.flush();
  }
  const [moved, ...others] = named.mock.webhooks.deliveries;
  expect(moved).toMatchObject({ event: 'lead.moved', data: { from: 'new', to: 'active' } });
  expect(others.map(({ event }) => event)).toEqual(['conversation.created', 'message.created']);
  expect(unnamed.mock.webhooks.deliveries.map(({ event }) => event)).toEqual(['message.created']);
});

test('webhooks.endpoints has no secrets, and events after webhooks.remove() are not delivered', async () => {
  const { mock, events, id } = receiving({ retries: [5] });
  expect(mock.webhooks.endpoints).toEqual([
    {
      ...{ id, url: 'https://receiver.test/webhooks', retries: [5], timeout: 10_000, concurrency: 10 },
      signature: { header: 'x-webhook-signature', encoding: 'hex' },
    },
  ]);
  mock.webhooks.emit('order.paid', { id: 1 });
  expect([mock.webhooks.remove(id), mock.webhooks.remove(id)]).toEqual([true, false]);
  mock.webhooks.emit('order.paid', { id: 2 });
  await mock.webhooks.flush();
  expect(events).toEqual([{ event: 'order.paid', data: { id: 1 } }]);
});

test('webhooks.redeliver() sends the same body as another delivery of the same event', async () => {
  const { mock, events } = receiving({ retries: [] }, 500, 200);
  mock.webhooks.emit('order.paid', { id: 1 });
  await mock.webhooks.flush();
  const [failed] = mock.webhooks.deliveries;
  const again = mock.webhooks.redeliver(failed?.id ?? '');
  await mock.webhooks.flush();
  expect(events).toEqual(Array(2).fill({ event: 'order.paid', data: { id: 1 } }));
  const { messageId, endpointId, body } = failed ?? {};
  const same = { messageId, endpointId, body };
  expect(mock.webhooks.deliveries[1]).toMatchObject({ id: again.id, state: 'delivered', ...same });
  expect(again.id).not.toBe(failed?.id);
});

test('webhooks.redeliver() refuses an unknown delivery, a removed endpoint and a closed mock', async () => {
  const { mock, id } = receiving();
  mock.webhooks.emit('order.paid', {});
  await mock.webhooks.flush();
  const delivery = mock.webhooks.deliveries[0]?.id ?? '';
  expect(() => mock.webhooks.redeliver('nothing')).toThrow('no delivery has the id nothing');
  mock.webhooks.remove(id);
  expect(() => mock.webhooks.redeliver(delivery)).toThrow(`the endpoint ${id} (`);
  await mock.close();
  const closed = { name: 'MockClosedError', code: 'MOCK_CLOSED' };
  expect(() => mock.webhooks.redeliver(delivery)).toThrow(expect.objectContaining(closed));
});

test.each<[values: object, says: string]>([
  [{ url: 'https://user:hush@receiver.test/' }, 'must be an http or https URL without a user name'],
  [{ secret: '' }, 'secret'],
  [{ secret: ['hush', 'hush-hush'] }, '`endpoint.secret` must be a single secret'],
  // Its scheme can't decode it.
  [{ secret: 'hush?', signature: standardWebhooks() }, '`secret` must be base64'],
  [{ retries: [1_000, Number.NaN] }, 'got NaN'],
  [{ retries: [1e15] }, 'at most 100 years'],
  [{ timeout: 0 }, 'got 0'],
  [{ concurrency: 0.5 }, 'must be a whole number of at least 1'],
  [{ headers: { Host: 'x' } }, 'a header that the connection does not set itself, got "Host"'],
  [{ headers: { 'x-token': 'hush\nhush' } }, '`endpoint.headers.x-token` has a name or a value'],
  [{ headers: { 'x-token': 5 } }, 'got a number'],
  [{ idHeader: 'content-length' }, 'does not set itself, got "content-length"'],
  [{ idHeader: '' }, '`endpoint.idHeader` must be the name of a header'],
  [{ idheader: 'x-id' }, 'Did you mean `idHeader`?'],
])('webhooks.add() refuses an endpoint with %o, and shows no secret', (values, says) => {
  const add = () => receiving(values);
  expect(add).toThrow(MockError);
  expect(add).toThrow(says);
  expect(add).not.toThrow('hush');
});

test('webhooks.emit() refuses a misspelled message.created, unless webhooks.events uses that name', async () => {
  const { mock, events } = receiving();
  for (const event of ['message.create', 'message_created', 'Messages.Created']) {
    const message = `The API documents no event "${event}". Did you mean "message.created"?`;
    const refusal = { code: 'INVALID_ARGUMENT', message };
    expect(() => mock.webhooks.emit(event, {})).toThrow(expect.objectContaining(refusal));
  }
  const others = ['message.updated', 'message.deleted', 'lead.created'];
  for (const event of others) {
    mock.webhooks.emit(event, {});
  }
  await mock.webhooks.flush();
  expect(events).toEqual(others.map((event) => ({ event, data: {} })));
  const named = open({ webhooks: { events: { statusChange: 'message.create' } } }).mock.webhooks;
  named.emit('message.create', {});
  named.deliveryFaults.once({ copies: 2, match: { event: 'message.create' } });
});

test('a delivery fault can give every attempt a wrong signature', async () => {
  const { mock } = receiving({ retries: [1_000] });
  mock.webhooks.deliveryFaults.once({ signature: 'wrong' });
  mock.webhooks.emit('forged', {});
  mock.webhooks.emit('genuine', {});
  await mock.webhooks.flush();
  const [forged, genuine] = mock.webhooks.deliveries;
  expect(forged).toMatchObject({ fault: { signature: 'wrong' }, state: 'failed' });
  const refused = { error: expect.stringContaining('signature') };
  expect(forged?.attempts).toMatchObject([refused, refused]);
  expect(genuine).toMatchObject({ fault: undefined, state: 'delivered' });
  mock.webhooks.redeliver(forged?.id ?? '');
  await mock.webhooks.flush();
  expect(mock.webhooks.deliveries[2]).toMatchObject({ fault: undefined, state: 'delivered' });
});

test('a delivery fault applies only to the event, endpoint and data that it matches', async () => {
  const { mock } = open();
  const endpointIds = [mock.webhooks.add(keeper().endpoint), mock.webhooks.add(keeper().endpoint)];
  const [first, second] = endpointIds as [string, string];
  const { deliveryFaults } = mock.webhooks;
  deliveryFaults.always({ copies: 0, match: { endpointId: second } });
  deliveryFaults.once({ copies: 3, match: { event: 'lead.moved', data: { to: 'won' } } });
  deliveryFaults.once({ copies: 2 });
  const before = mock.snapshot();
  for (const [event, to, copies] of [
    ['lead.made', 'won', [2, 2]],
    ['lead.moved', 'lost', [1, 0]],
    ['lead.moved', 'won', [3, 3]],
    ['lead.moved', 'won', [1, 0]],
  ] as const) {
    const seen = mock.webhooks.deliveries.length;
    mock.webhooks.emit(event, { id: 1, to });
    const added = mock.webhooks.deliveries.slice(seen).map(({ endpointId }) => endpointId);
    const counts = [first, second].map((id) => added.filter((each) => each === id).length);
    expect([event, to, counts]).toEqual([event, to, copies]);
  }
  const [lost, ...others] = deliveryFaults.planned;
  expect([lost, others]).toMatchObject([{ fault: { copies: 0 }, once: false, used: 2 }, []]);
  expect([deliveryFaults.remove(lost?.id ?? ''), deliveryFaults.remove('none')]).toEqual([true, false]);
  mock.restore(before);
  expect(deliveryFaults.planned.map(({ used }) => used)).toEqual([0, 0, 0]);
});

test.each<[fault: unknown, says: string]>([
  [{ delayMs: -1 }, '`delayMs` must be a number of milliseconds of at least 0, got -1.'],
  [{ duplicate: true }, 'Unknown delivery fault field `duplicate`. Use `copies: 2`'],
  [{ copies: -1 }, '`copies` must be a whole number from 0 to 100, got -1'],
  [{ signature: 'bad' }, '`signature` must be "wrong", got "bad"'],
  [{ match: { event: 'x' } }, 'A delivery fault must have at least one of `copies`, `delayMs`, `signature`'],
  [{ copies: 0, match: { event: '' } }, '`match.event` must be a non-empty string, got "".'],
  [
    { copies: 0, match: { event: 'message.create' } },
    'The API documents no event "message.create". Did you mean "message.created"?',
  ],
  [{ copies: 0, match: { evnt: 'x' } }, 'Unknown match field `evnt`. Did you mean `event`?'],
  [
    { copies: 0, match: { endpointId: 'endpoint_2' } },
    'Unknown endpoint "endpoint_2". Did you mean "endpoint_1"?',
  ],
])('deliveryFaults.once() and always() refuse %j', (fault, says) => {
  const { mock } = receiving();
  for (const plan of ['once', 'always'] as const) {
    const refusal = { code: 'INVALID_ARGUMENT', message: expect.stringContaining(says) };
    const { deliveryFaults } = mock.webhooks;
    expect(() => deliveryFaults[plan](fault as object)).toThrow(expect.objectContaining(refusal));
  }
});

test('webhooks.add() accepts at most 100 endpoints, until one is removed', () => {
  const { mock, id } = receiving();
  const endpoint = { url: 'https://receiver.test', secret };
  for (let count = 1; count < 100; count += 1) {
    mock.webhooks.add(endpoint);
  }
  expect(() => mock.webhooks.add(endpoint)).toThrow('already has 100 endpoints. Remove one with ');
  mock.webhooks.remove(id);
  mock.webhooks.add(endpoint);
  expect(mock.webhooks.endpoints).toHaveLength(100);
});
