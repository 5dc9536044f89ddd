import { expect, test } from 'vitest';
import type { RequestQuery } from '../../src/index.ts';
import { open } from '../support/hosts.ts';

test('the request log has every request with its fault, and never a key', async () => {
  const { mock, send } = open();
  const narrow = mock.keys.create({ scopes: ['read:leads'] });
  const body = { phone: '+5511987654321' };
  mock.faults.once('leads.create', { status: 503 });
  await send('leads.create', { body });
  await send('leads.list', { key: narrow.key, query: 'limit=5&status=new' });
  await send('GET /elsewhere', { key: 'confab_live_wrong' });
  const query = { limit: 5, status: 'new' };
  expect(mock.requests.all).toMatchObject([
    { operation: 'leads.create', body, status: 503, fault: { status: 503 } },
    { operation: 'leads.list', keyId: narrow.id, query, status: 200, fault: undefined },
    { operation: undefined, keyId: undefined, path: '/elsewhere', status: 404 },
  ]);
  expect(mock.requests.of('leads.list')).toHaveLength(1);
  expect([...mock.requests]).toHaveLength(mock.requests.length);
  const text = JSON.stringify(mock.requests.all);
  for (const key of [mock.apiKey, narrow.key, 'confab_live_wrong']) {
    expect(text).not.toContain(key);
  }
  mock.requests.clear();
  expect(mock.requests.length).toBe(0);
});

test('the request log keeps the body of every response, up to 4,096 characters', async () => {
  const { mock, send } = open();
  const lead = mock.leads.create({});
  const one = await send<object>('leads.get', { id: lead.id });
  for (let index = 0; index < 50; index += 1) {
    mock.leads.create({});
  }
  await send('leads.list', { query: 'limit=50' });
  const [first, list] = mock.requests.all.map(({ responseBody }) => responseBody);
  expect(JSON.parse(first ?? '').data).toEqual(one.body.data);
  expect(list).toHaveLength(4_096);
  expect(mock.requests.all.map(({ responseTruncated }) => responseTruncated)).toEqual([false, true]);
});

test('logged requests are frozen, also after a restore()', async () => {
  const { mock, send } = open();
  const { id } = mock.leads.create({});
  await send('leads.update', { id, body: { status: 'lost' } });
  await send('leads.list', { query: 'limit=5', key: null });
  const before = structuredClone(mock.requests.all);
  const snapshot = mock.snapshot();
  const parts = mock.requests.all.flatMap((entry) => [entry, ...Object.values(entry)]);
  expect(parts.every(Object.isFrozen)).toBe(true);
  mock.restore(snapshot);
  expect(mock.requests.all).toEqual(before);
});

test('the request log has the error of each refused request', async () => {
  const { mock, send } = open();
  await send('agents.list');
  await send('agents.list', { key: 'confab_test_wrong' });
  await send('leads.create', { body: { phone: 5 } });
  mock.faults.once('agents.list', { status: 503 });
  await send('agents.list');
  mock.faults.once('agents.list', { status: 502, body: '<html>' });
  await send('agents.list').catch(() => {});
  mock.faults.once('agents.list', { network: 'error' });
  await send('agents.list').catch(() => {});
  await send('GET /elsewhere');
  expect(mock.requests.all.map(({ status, error }) => [status, error])).toEqual([
    [200, undefined],
    [401, { code: 'API_KEY_INVALID', message: 'The API key is not valid' }],
    [400, { code: 'INVALID_PARAMETERS', message: expect.stringContaining('body.phone must be a string') }],
    [503, { code: 'SERVICE_UNAVAILABLE', message: 'A planned fault of the mock returned 503' }],
    [502, undefined],
    [undefined, undefined],
    [404, { code: 'NOT_FOUND', message: 'No operation at GET /elsewhere' }],
  ]);
});

test('requests.list() filters by operation, status and method, and returns how many match', async () => {
  const { mock, send } = open();
  await send('agents.list');
  await send('leads.list', { key: null });
  const headers = { 'x-api-key': mock.apiKey };
  await mock.fetch(`${mock.baseUrl}/api/v2/public/leads`, { method: 'HEAD', headers });
  await send('POST /api/v2/public/nothing', { body: {} });
  const look = (query: RequestQuery) => {
    const { data, meta } = mock.requests.list(query);
    return [data.map(({ operation }) => operation), meta.total];
  };
  const meta = { total: 4, limit: 1_000, offset: 0 };
  expect(mock.requests.list()).toEqual({ data: mock.requests.all, meta });
  expect(look({ operation: 'leads.list' })).toEqual([['leads.list', 'leads.list'], 2]);
  expect(look({ status: 401 })).toEqual([['leads.list'], 1]);
  expect(look({ method: 'post' })).toEqual([[undefined], 1]);
  expect(look({ operation: 'leads.list', method: 'HEAD', status: 200 })).toEqual([['leads.list'], 1]);
  expect(look({ status: 500 })).toEqual([[], 0]);
  expect(look({ limit: 2 })).toEqual([['agents.list', 'leads.list'], 4]);
  expect(look({ limit: 2, offset: 2 })).toEqual([['leads.list', undefined], 4]);
});

test.each<[object, RegExp]>([
  [{ operations: 'leads.list' }, /Did you mean `operation`/],
  [{ limit: 0 }, /`limit` must be a whole number from 1 to 10000, got 0/],
  [{ offset: -1 }, /`offset` must be a whole number of at least 0, got -1\./],
])('requests.list(%j) throws %s', (query, message) => {
  expect(() => open().mock.requests.list(query as RequestQuery)).toThrow(message);
});
