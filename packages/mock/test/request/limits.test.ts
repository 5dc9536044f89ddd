import type { Lead } from '@confab/client/contract';
import { expect, test } from 'vitest';
import { hosts, open } from '../support/hosts.ts';

for (const host of hosts) {
  test(`limit parameter: 1 to 100, default 25, on both paged lists (${host.name})`, async () => {
    await using service = await host.open();
    for (const operation of ['leads.list', 'conversations.list'] as const) {
      const statusOf = async (query: string) => (await service.send(operation, { query })).status;
      expect([await statusOf('limit=0'), await statusOf('limit=1')]).toEqual([400, 200]);
      expect([await statusOf('limit=100'), await statusOf('limit=101')]).toEqual([200, 400]);
      expect((await service.send(operation)).body.meta).toEqual({ total: 0, limit: 25, offset: 0 });
    }
  });

  test(`offset parameter: minimum 0, default 0 (${host.name})`, async () => {
    await using service = await host.open();
    for (let at = 0; at < 30; at += 1) {
      service.mock.leads.create({});
    }
    expect((await service.send('leads.list', { query: 'offset=-1' })).status).toBe(400);
    const page = await service.send<Lead[]>('leads.list', { query: 'offset=28' });
    expect(page.body.meta).toEqual({ total: 30, limit: 25, offset: 28 });
    expect(page.body.data).toHaveLength(2);
    expect((await service.send<Lead[]>('leads.list', { query: 'offset=30' })).body.data).toEqual([]);
  });

  test(`messagesLimit: 1 to 100, default 50 (${host.name})`, async () => {
    await using service = await host.open();
    const { id } = service.mock.conversations.create({});
    for (let at = 0; at < 120; at += 1) {
      service.mock.messages.create({ conversationId: id });
    }
    const get = (query?: string) =>
      service.send<{ messages: unknown[] }>('conversations.get', { id, ...(query && { query }) });
    expect((await get('messagesLimit=0')).status).toBe(400);
    expect((await get('messagesLimit=101')).status).toBe(400);
    expect((await get('messagesLimit=1')).body.data.messages).toHaveLength(1);
    expect((await get('messagesLimit=100')).body.data.messages).toHaveLength(100);
    expect((await get()).body.data.messages).toHaveLength(50);
  });

  test(`content length: at most 4096 characters, counted as code points (${host.name})`, async () => {
    await using service = await host.open();
    const { id } = service.mock.conversations.create({});
    const send = async (content: string) =>
      (await service.send('conversations.sendMessage', { id, body: { content } })).status;
    expect(await send('😀'.repeat(4096))).toBe(201);
    expect(await send('x'.repeat(4097))).toBe(400);
    expect(await send('')).toBe(201);
  });

  test(`userMessage length: 1 to 4000 characters (${host.name})`, async () => {
    await using service = await host.open();
    const { id } = service.mock.agents.create({});
    const invoke = async (userMessage: string) =>
      (await service.send('agents.invoke', { id, body: { userMessage } })).status;
    expect([await invoke(''), await invoke('x')]).toEqual([400, 200]);
    expect([await invoke('é'.repeat(4000)), await invoke('x'.repeat(4001))]).toEqual([200, 400]);
  });
}

test('rate limit: per API key, per minute, over a sliding window, with a cap of each key', async () => {
  const { mock, send } = open({ rateLimit: 3 });
  const small = mock.keys.create({ rateLimit: 1 });
  const statusOf = async (key?: string) =>
    (await send('agents.list', key === undefined ? {} : { key })).status;

  expect(await statusOf()).toBe(200);
  await mock.clock.advance(40_000);
  expect([await statusOf(), await statusOf(), await statusOf()]).toEqual([200, 200, 429]);
  expect([await statusOf(small.key), await statusOf(small.key)]).toEqual([200, 429]);
  // The first of the three leaves the window now; a fixed minute would have let all three in again.
  await mock.clock.advance(20_000);
  expect([await statusOf(), await statusOf()]).toEqual([200, 429]);
});

test('rate limit: applies to all operations, together', async () => {
  const { mock, send } = open({ rateLimit: 2 });
  await send('agents.list');
  await send('leads.list');
  expect((await send('analytics.funnel')).status).toBe(429);
  expect((await send('leads.create', { body: { phone: '+5511987654321' } })).status).toBe(429);
  expect(mock.leads.count()).toBe(0);
});

test('rate limit: a refused request does not count', async () => {
  const { mock, send } = open({ rateLimit: 1 });
  await send('agents.list');
  await mock.clock.advance(59_000);
  expect((await send('agents.list')).headers.get('retry-after')).toBe('1');
  await mock.clock.advance(1_000);
  expect((await send('agents.list')).status).toBe(200);
});

test('rate limit: a request counts when it is let in, after its latency, not when it came', async () => {
  const { mock, send } = open({ rateLimit: 1 });
  mock.faults.once('agents.list', { delayMs: 10_000 });
  expect((await send('agents.list')).status).toBe(200);
  await mock.clock.advance(50_000);
  const { status, headers } = await send('agents.list');
  expect([status, headers.get('retry-after')]).toEqual([429, '10']);
  await mock.clock.advance(10_000);
  expect((await send('agents.list')).status).toBe(200);
});

test('rate limit: asked for always, its headers are on refusals too', async () => {
  const { mock, send } = open({ rateLimit: { requests: 10, perMs: 1_000, headers: 'always' } });
  const { key } = mock.keys.create({ scopes: ['read:leads'], rateLimit: 7 });
  const id = '00000000-0000-4000-8000-000000000000';
  for (const [answer, status, limit, remaining] of [
    [await send('leads.list', { query: 'limit=0' }), 400, '10', '9'],
    [await send('agents.list', { key }), 403, '7', '6'],
    [await send('leads.get', { id }), 404, '10', '8'],
    [await send('leads.list', { key: 'wrong' }), 401, null, null],
  ] as const) {
    expect([
      answer.status,
      answer.headers.get('x-ratelimit-limit'),
      answer.headers.get('x-ratelimit-remaining'),
    ]).toEqual([status, limit, remaining]);
  }
});

test('rate limit: its headers come on a 429 only, or always if asked for', async () => {
  const quiet = open({ rateLimit: 2 });
  expect((await quiet.send('agents.list')).headers.has('x-ratelimit-limit')).toBe(false);
  expect((await quiet.send('leads.list', { query: 'limit=0' })).headers.has('x-ratelimit-limit')).toBe(false);
  const { send } = open({ rateLimit: { requests: 2, perMs: 1_000, headers: 'always' } });
  const remaining = async () => (await send('agents.list')).headers.get('x-ratelimit-remaining');
  expect([await remaining(), await remaining(), await remaining()]).toEqual(['1', '0', '0']);
});

test('numbers in a query are decimal integers and nothing else', async () => {
  const { send } = open();
  for (const limit of ['1e1', '0x10', '%205', '5.0', '', 'five', '9007199254740993']) {
    expect([limit, (await send('leads.list', { query: `limit=${limit}` })).status]).toEqual([limit, 400]);
  }
  expect((await send('leads.list', { query: 'limit=007' })).status).toBe(200);
});
