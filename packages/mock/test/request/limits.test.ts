import type { OperationId } from '@confab/client/contract';
import { expect, test } from 'vitest';
import { open } from '../support/hosts.ts';

test.each<[OperationId, query: string, status: number]>([
  ['leads.list', 'limit=0', 400],
  ['leads.list', 'limit=101', 400],
  ['leads.list', 'offset=-1', 400],
  ['conversations.get', 'messagesLimit=101', 400],
  // Only decimal integers are numbers.
  ...['1e1', '0x10', '%205', '5.0', '', 'five', '9007199254740993'].map(
    (limit): [OperationId, string, number] => ['leads.list', `limit=${limit}`, 400],
  ),
  ['leads.list', 'limit=007', 200],
])('%s with the query %s returns %i', async (operation, query, status) => {
  const { mock, send } = open();
  const { id } = mock.conversations.create({});
  expect((await send(operation, { id, query })).status).toBe(status);
});

test('conversations.list returns 25 rows by default, and conversations.get the latest 50 messages', async () => {
  const { mock, send } = open();
  const { id } = mock.conversations.create({});
  for (let count = 0; count < 60; count += 1) {
    mock.messages.create({ conversationId: id });
  }
  expect((await send('conversations.list')).body.meta).toEqual({ total: 1, limit: 25, offset: 0 });
  const { body } = await send<{ messages: unknown[] }>('conversations.get', { id });
  expect(body.data.messages).toHaveLength(50);
});

test('rate limit: a sliding window counts all operations of a key, and each key may have its own limit', async () => {
  const { mock, send } = open({ rateLimit: 3 });
  const small = mock.keys.create({ rateLimit: 1 });
  const statusOf = async (key = mock.apiKey, operation: OperationId = 'agents.list') =>
    (await send(operation, { key, body: undefined })).status;

  expect(await statusOf()).toBe(200);
  await mock.clock.advance(40_000);
  expect(await statusOf(mock.apiKey, 'leads.list')).toBe(200);
  expect([await statusOf(), await statusOf()]).toEqual([200, 429]);
  expect([await statusOf(small.key), await statusOf(small.key)]).toEqual([200, 429]);
  // Only the first of the three requests has left the window; a fixed minute would have forgotten all three.
  await mock.clock.advance(20_000);
  expect([await statusOf(), await statusOf()]).toEqual([200, 429]);
});

test('rate limit: 0 refuses all requests, and Infinity none', async () => {
  const { mock, send } = open({ rateLimit: { requests: 0, perMs: 59_001 } });
  expect((await send('agents.list')).headers.get('retry-after')).toBe('60');
  const short = mock.keys.create({ rateLimit: { requests: 0, perMs: 1 } });
  expect((await send('agents.list', { key: short.key })).headers.get('retry-after')).toBe('1');
  const { key } = mock.keys.create({ rateLimit: Number.POSITIVE_INFINITY });
  expect((await send('agents.list', { key })).status).toBe(200);
});

test('rate limit: a request counts from the end of its latency, and a refused request does not count', async () => {
  const { mock, send } = open({ rateLimit: 1 });
  mock.faults.once('agents.list', { delayMs: 10_000 });
  expect((await send('agents.list')).status).toBe(200);
  await mock.clock.advance(50_000);
  const { status, headers } = await send('agents.list');
  expect(status).toBe(429);
  const wanted = { 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0', 'retry-after': '10' };
  expect(Object.fromEntries(headers)).toMatchObject(wanted);
  await mock.clock.advance(10_000);
  expect((await send('agents.list')).status).toBe(200);
});

test('rate limit: only a 429 has the headers by default, and every response with headers: always', async () => {
  const quiet = open();
  expect((await quiet.send('agents.list')).headers.has('x-ratelimit-limit')).toBe(false);
  expect((await quiet.send('leads.list', { query: 'limit=0' })).headers.has('x-ratelimit-limit')).toBe(false);

  const { mock, send } = open({ rateLimit: { requests: 10, perMs: 1_000, headers: 'always' } });
  const { key } = mock.keys.create({ scopes: ['read:leads'], rateLimit: 7 });
  const id = '00000000-0000-4000-8000-000000000000';
  for (const [answer, status, limit, remaining] of [
    [await send('leads.list'), 200, '10', '9'],
    [await send('leads.list', { query: 'limit=0' }), 400, '10', '8'],
    [await send('agents.list', { key }), 403, '7', '6'],
    [await send('leads.get', { id }), 404, '10', '7'],
    [await send('leads.list', { key: 'wrong' }), 401, null, null],
  ] as const) {
    const header = (name: string) => answer.headers.get(`x-ratelimit-${name}`);
    expect([answer.status, header('limit'), header('remaining')]).toEqual([status, limit, remaining]);
  }
});
