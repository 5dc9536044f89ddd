import { expect, test } from 'vitest';
import { hosts, open } from '../support/hosts.ts';

const create = { body: { phone: '+5511987654321' } };

for (const host of hosts) {
  test(`a function sees the request, and decides for each (${host.name})`, async () => {
    await using service = await host.open();
    const { mock, send } = service;
    const seen: unknown[] = [];
    mock.faults.always('*', ({ headers, ...request }) => {
      seen.push({ ...request, tenant: headers.get('x-tenant') });
      return request.method === 'POST' ? { status: 503 } : undefined;
    });
    const headers = { 'x-tenant': 'a' };
    expect((await send('leads.list', { headers, query: 'limit=5' })).status).toBe(200);
    expect((await send('leads.create', { ...create, headers })).status).toBe(503);
    expect((await send('POST /elsewhere', { headers, body: 'text' })).status).toBe(503);
    const path = '/api/v2/public/leads';
    expect(seen).toEqual([
      {
        operation: 'leads.list',
        method: 'GET',
        path,
        params: {},
        query: { limit: 5 },
        body: undefined,
        tenant: 'a',
      },
      { operation: 'leads.create', method: 'POST', path, params: {}, query: {}, ...create, tenant: 'a' },
      {
        operation: undefined,
        method: 'POST',
        path: '/elsewhere',
        params: {},
        query: {},
        body: 'text',
        tenant: 'a',
      },
    ]);
    expect(mock.requests.all.map(({ fault }) => fault)).toEqual([
      undefined,
      { status: 503 },
      { status: 503 },
    ]);
  });
}

test('a function that returns undefined stays planned; one that returns a promise delays its request', async () => {
  const { mock, send } = open();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  mock.faults.once('agents.list', ({ query }) => (query.limit === undefined ? undefined : { status: 500 }));
  mock.faults.once('agents.list', async () => {
    await held;
  });
  let answered = false;
  const first = send('agents.list').finally(() => {
    answered = true;
  });
  const beside = await send('agents.list');
  expect([beside.status, answered]).toEqual([200, false]);
  release();
  expect((await first).status).toBe(200);
  expect((await send('agents.list', { query: 'limit=1' })).status).toBe(500);
  expect((await send('agents.list', { query: 'limit=1' })).status).toBe(400);
});

test.each([
  [
    'throws',
    () => {
      throw new Error('bad luck');
    },
  ],
  ['rejects', () => Promise.reject(new Error('bad luck'))],
  ['gives what can not be', () => ({ status: 999 })],
])('a function for one request that %s is used up', async (_, fault) => {
  const { mock, send } = open();
  mock.faults.once('agents.list', fault);
  expect((await send('agents.list')).status).toBe(500);
  expect((await send('agents.list')).status).toBe(200);
});

test.each(hosts)('a function cannot change the request that it is given ($name)', async (host) => {
  await using service = await host.open();
  const { mock, send } = service;
  const { id } = mock.leads.create({});
  mock.faults.once('leads.get', ({ headers, params, query }) => {
    headers.delete('x-api-key');
    for (const part of [params, query]) {
      Object.assign(part, { id: 'another', limit: 1 });
    }
    return undefined;
  });
  expect((await send('leads.get', { id })).status).toBe(200);
});

test('a function can wait on the clock of the mock', async () => {
  const { mock, send } = open();
  const began = mock.clock.now();
  mock.faults.once('agents.list', async () => {
    await mock.clock.sleep(5_000);
    return { status: 504, delayMs: 1_000 };
  });
  expect((await send('agents.list')).status).toBe(504);
  expect(mock.clock.now() - began).toBe(6_000);
});

test.each([
  [
    'throws',
    () => {
      throw new Error('no such lead');
    },
    'no such lead',
  ],
  ['rejects', () => Promise.reject(new Error('no such lead')), 'no such lead'],
  ['returns an invalid status', () => ({ status: 99 }), 'got 99'],
])('a fault function that %s leads to a 500 that says so', async (_, fault, reason) => {
  const { mock, send } = open();
  mock.faults.once('leads.list', fault);
  const { status, body } = await send('leads.list');
  expect([status, body.code]).toEqual([500, 'FAULT_FAILED']);
  expect(body.error).toContain('The fault function for GET /api/v2/public/leads failed: ');
  expect(body.error).toContain(reason);
});

test('an asynchronous function that lets a request pass stays planned, and the next fault has its turn', async () => {
  const { mock, send } = open();
  mock.faults.once('agents.list', async ({ headers }) =>
    headers.has('x-strike') ? { status: 500 } : undefined,
  );
  mock.faults.once('agents.list', { status: 503 });
  expect((await send('agents.list')).status).toBe(503);
  expect((await send('agents.list')).status).toBe(200);
  expect((await send('agents.list', { headers: { 'x-strike': '1' } })).status).toBe(500);
  expect(mock.faults.planned).toEqual([]);
});

test('a fault that was cleared while its function decided is not planned again', async () => {
  const { mock, send } = open();
  let resolve = () => {};
  const decision = new Promise<undefined>((resolveWith) => {
    resolve = () => resolveWith(undefined);
  });
  mock.faults.once('agents.list', () => decision);
  const response = send('agents.list');
  mock.faults.clear();
  resolve();
  expect((await response).status).toBe(200);
  expect(mock.faults.planned).toEqual([]);
});
