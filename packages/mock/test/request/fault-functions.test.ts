import { expect, test } from 'vitest';
import type { FaultFunction } from '../../src/index.ts';
import { hold } from '../support/hold.ts';
import { hosts, open } from '../support/hosts.ts';

const create = { body: { phone: '+5511987654321' } };

test.each(hosts)('a fault function receives each request and decides on it, through $name', async (host) => {
  const { mock, send } = await host.open();
  const seen: unknown[] = [];
  mock.faults.always('*', ({ headers, ...request }) => {
    seen.push({ ...request, tenant: headers.get('x-tenant') });
    return request.method === 'POST' ? { status: 503 } : undefined;
  });
  const headers = { 'x-tenant': 'a' };
  expect((await send('leads.list', { headers, query: 'limit=5' })).status).toBe(200);
  expect((await send('leads.create', { ...create, headers })).status).toBe(503);
  expect((await send('POST /api/v2/public/elsewhere', { headers, body: 'text' })).status).toBe(503);
  const leads = { path: '/api/v2/public/leads', params: {}, tenant: 'a' };
  expect(seen).toEqual([
    { ...leads, operation: 'leads.list', method: 'GET', query: { limit: 5 }, body: undefined },
    { ...leads, operation: 'leads.create', method: 'POST', query: {}, ...create },
    {
      ...leads,
      operation: undefined,
      method: 'POST',
      path: '/api/v2/public/elsewhere',
      query: {},
      body: 'text',
    },
  ]);
});

test('a fault function cannot change the request', async () => {
  const { mock, send } = open();
  const { id } = mock.leads.create({});
  mock.faults.once('leads.get', ({ headers, params, query }) => {
    headers.delete('x-api-key');
    for (const part of [params, query]) {
      Object.assign(part, { id: 'another', limit: 1 });
    }
    return undefined;
  });
  expect((await send('leads.get', { id })).status).toBe(200);

  const seen: unknown[] = [];
  for (const phone of ['another', 'a third']) {
    mock.faults.once('leads.create', ({ body }) => {
      seen.push({ ...Object(body) });
      Object.assign(Object(body), { phone });
      return undefined;
    });
  }
  expect((await send('leads.create', create)).status).toBe(201);
  expect(seen).toEqual([create.body, create.body]);
});

test('a fault function can wait on the mock’s clock', async () => {
  const { mock, send } = open();
  const began = mock.clock.now();
  mock.faults.once('agents.list', async () => {
    await mock.clock.sleep(5_000);
    return { status: 504, delayMs: 1_000 };
  });
  expect((await send('agents.list')).status).toBe(504);
  expect(mock.clock.now() - began).toBe(6_000);
});

test.each<[string, FaultFunction, string]>([
  ['rejects', () => Promise.reject(new Error('no such lead')), 'no such lead'],
  ['returns an invalid status', () => ({ status: 99 }), 'got 99'],
  ['returns a misspelled field', () => ({ stats: 503 }) as object, 'Did you mean `status`?'],
  [
    'returns null',
    () => null as never,
    'The function must return a fault such as { status: 503 }, undefined, or',
  ],
  [
    'returns a number',
    (() => 503) as never,
    'The function must return a fault such as { status: 503 }, undefined, or',
  ],
  ['returns `skip`', () => ({ status: 500, skip: 1 }), 'skip'],
])('a fault function that %s is used up, and causes a 500 with the reason', async (_, fault, reason) => {
  const { mock, send } = open();
  mock.faults.once('leads.list', fault);
  const { status, body } = await send('leads.list');
  expect([status, body.code]).toEqual([500, 'FAULT_FAILED']);
  expect(body.error).toContain('The fault function for GET /api/v2/public/leads failed: ');
  expect(body.error).toContain(reason);
  expect((await send('leads.list')).status).toBe(200);
});

test('after a fault function returns undefined, it stays planned, and the next fault applies', async () => {
  const { mock, send } = open();
  const decide: FaultFunction = ({ headers }) => (headers.has('x-fail') ? { status: 500 } : undefined);
  for (const fault of [decide, async (request) => decide(request)] satisfies FaultFunction[]) {
    mock.faults.once('agents.list', fault);
    mock.faults.once('agents.list', { status: 503 });
    expect((await send('agents.list')).status).toBe(503);
    expect((await send('agents.list')).status).toBe(200);
    expect((await send('agents.list', { headers: { 'x-fail': '1' } })).status).toBe(500);
    expect(mock.faults.planned).toEqual([]);
  }
});

test('a fault that one request uses up while a fault function runs for another applies only once', async () => {
  const { mock, send } = open();
  const { arrived, release } = hold(mock, 'leads.list');
  mock.faults.once('leads.list', { status: 501 });
  mock.faults.always('agents.list', { status: 502 });
  const first = send('leads.list');
  await arrived;
  expect((await send('leads.list')).status).toBe(501);
  release(undefined);
  expect((await first).status).toBe(200);
  expect((await send('agents.list')).status).toBe(502);
});

test('faults.remove() also removes a fault whose function is running', async () => {
  const { mock, send } = open();
  const { release } = hold(mock, 'agents.list');
  const response = send('agents.list');
  mock.faults.remove(mock.faults.planned[0]?.id ?? '');
  release(undefined);
  expect((await response).status).toBe(200);
  expect(mock.faults.planned).toEqual([]);
});
