import { expect, test } from 'vitest';
import { open } from '../support/hosts.ts';

test('the log keeps every request with its fault, and never a key', async () => {
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

test('the log keeps the body of every response, the beginning of a long one, and no key in it', async () => {
  const { mock, send } = open();
  const lead = mock.leads.create({ displayName: mock.apiKey });
  const one = await send<object>('leads.get', { id: lead.id });
  for (let at = 0; at < 50; at += 1) {
    mock.leads.create({});
  }
  await send('leads.list', { query: 'limit=50' });
  const [first, list] = mock.requests.all.map(({ responseBody }) => responseBody);
  expect(JSON.parse(first ?? '').data).toEqual({ ...one.body.data, displayName: '[redacted]' });
  expect(list).toHaveLength(4_096);
});

test('logged requests cannot be changed, not even through a snapshot', async () => {
  const { mock, send } = open();
  const lead = mock.leads.create({});
  await send('leads.update', { id: lead.id, body: { status: 'lost' } });
  await send('leads.list', { query: 'limit=5', key: null });
  const before = structuredClone(mock.requests.all);
  const snapshot = mock.snapshot();
  for (const { error, ...entry } of mock.requests.all) {
    for (const part of [error, entry.params, entry.query, entry.body]) {
      if (typeof part === 'object') {
        expect(() => Object.assign(part as object, { status: 'new' })).toThrow(TypeError);
      }
    }
  }
  expect(mock.requests.all.every(Object.isFrozen)).toBe(true);
  mock.restore(snapshot);
  expect(mock.requests.all).toEqual(before);
});

test('the log says why a request was refused, without the keys in it', async () => {
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
  await mock.fetch(`${mock.baseUrl}/${mock.apiKey}`);
  expect(mock.requests.all.map(({ status, error }) => [status, error])).toEqual([
    [200, undefined],
    [401, { code: 'API_KEY_INVALID', message: 'The API key is not valid' }],
    [400, { code: 'INVALID_PARAMETERS', message: expect.stringContaining('body.phone must be a string') }],
    [503, { code: 'SERVICE_UNAVAILABLE', message: 'A fault with status 503 was injected' }],
    [502, undefined],
    [undefined, undefined],
    [404, { code: 'NOT_FOUND', message: 'No operation at GET /[redacted]' }],
  ]);
});
