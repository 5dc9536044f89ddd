import { expect, test, vi } from 'vitest';
import type { Hooks } from '../src/index.ts';
import { clientAt } from './support/client.ts';
import { createTestClock } from './support/clock.ts';
import { ids, lead } from './support/data.ts';
import { drop, failure, hang, json, startServer, success } from './support/server.ts';

const recordHooks = () => {
  const events: [name: string, facts: Record<string, unknown>][] = [];
  const record = (name: string) => (facts: object) => void events.push([name, { ...facts }]);
  const hooks: Hooks = {
    onRequest: record('request'),
    onResponse: record('response'),
    onRetry: record('retry'),
    onRateLimit: record('rateLimit'),
    onPause: record('pause'),
    onDrift: record('drift'),
  };
  return { events, hooks };
};

test('hooks are called for each attempt, response, retry and 429, in order, with plain data', async () => {
  const { events, hooks } = recordHooks();
  const limit = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0', 'retry-after': '2' };
  const server = await startServer(
    drop,
    failure(429, 'RATE_LIMIT_EXCEEDED', 'Slow down', limit),
    success(lead),
  );
  const confab = clientAt(server.url, { hooks, clock: createTestClock() });
  await confab.leads.get(ids.lead);

  const facts = {
    callId: expect.any(Number),
    operation: 'leads.get',
    method: 'GET',
    url: `${server.url}/api/v2/public/leads/${ids.lead}`,
  };
  expect(events).toEqual([
    ['request', { ...facts, attempt: 1 }],
    ['retry', { ...facts, attempt: 1, reason: 'connection', status: undefined, delayMs: expect.any(Number) }],
    ['request', { ...facts, attempt: 2 }],
    ['response', { ...facts, attempt: 2, status: 429, headers: expect.any(Object), durationMs: 0 }],
    ['rateLimit', { ...facts, attempt: 2, limit: 60, remaining: 0, retryAfterMs: 2_000 }],
    ['pause', { pausedUntil: expect.any(Number), durationMs: 2_000, queued: 0 }],
    ['retry', { ...facts, attempt: 2, reason: 'rate-limit', status: 429, delayMs: 2_000 }],
    ['request', { ...facts, attempt: 3 }],
    ['response', { ...facts, attempt: 3, status: 200, headers: expect.any(Object), durationMs: 0 }],
  ]);
});

test('onRetry says that an attempt took too long', async () => {
  const server = await startServer(hang, success(lead));
  const { events, hooks } = recordHooks();
  await clientAt(server.url, { hooks, timeout: 50, retry: { baseDelay: 0 } }).leads.get(ids.lead);
  const retries = events.filter(([name]) => name === 'retry').map(([, facts]) => facts);
  expect(retries).toMatchObject([{ attempt: 1, reason: 'timeout', status: undefined }]);
});

test('leads.list with a probably misspelled status is sent unchanged, and the logger is warned once', async () => {
  const page = json(200, { success: true, data: [lead], meta: { total: 1, limit: 100, offset: 0 } });
  const server = await startServer(page, page);
  const warn = vi.fn();
  const { leads } = clientAt(server.url, { logger: { warn } });
  await leads.list({ status: 'NEW' }).all();
  await leads.list({ status: 'new' });
  expect(server.arrivals[0]?.query.get('status')).toBe('NEW');
  expect(warn.mock.calls).toEqual([
    ['confab: the `status` of leads.list has an unknown value. Did you mean `new`?', {}],
  ]);
});

test('the logger receives one line for each event, at its level', async () => {
  const server = await startServer(failure(503, 'BUSY'), success({ ...lead, id: 1 }));
  const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn() };
  const confab = clientAt(server.url, { logger, retry: { baseDelay: 0 } });
  await confab.leads.get(ids.lead);
  const lines = (level: keyof typeof logger) => logger[level].mock.calls.map(([line]) => String(line));
  expect(lines('debug')).toEqual([
    'confab: sending leads.get, attempt 1',
    expect.stringMatching(/^confab: leads\.get returned 503 after \d+ ms$/),
    'confab: sending leads.get, attempt 2',
    expect.stringMatching(/^confab: leads\.get returned 200 after \d+ ms$/),
  ]);
  expect(lines('info')).toEqual(['confab: retrying leads.get in 0 ms (status)']);
  expect(lines('warn')).toEqual([
    'confab: the response of leads.get breaks the contract: data.id must be a string, got a number',
  ]);
});

test.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('hook');
    },
  ],
  ['rejects', () => Promise.reject(new Error('hook'))],
])('a hook or logger that %s has no effect on the call', async (_, bad) => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const server = await startServer(failure(429, 'RATE_LIMIT_EXCEEDED'), drop, success({ ...lead, id: 1 }));
  const hook = bad as () => void;
  const confab = clientAt(server.url, {
    clock: createTestClock(),
    hooks: {
      onRequest: hook,
      onResponse: hook,
      onRetry: hook,
      onRateLimit: hook,
      onPause: hook,
      onDrift: hook,
    },
    logger: { debug: hook, info: hook, warn: hook },
  });
  expect(await confab.leads.get(ids.lead)).toEqual({ ...lead, id: 1 });
  await new Promise(setImmediate);
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

const drifted = { ...lead, id: 'not-a-uuid', createdAt: 'yesterday' };
const issues = [
  { path: 'data.id', message: 'must be a UUID, got a string' },
  {
    path: 'data.createdAt',
    message: 'must be an existing date and time with an offset, such as 2026-01-31T12:00:00Z, got a string',
  },
];

test('with validation: warn, a call reports drift and returns the data', async () => {
  const { events, hooks } = recordHooks();
  const server = await startServer(success(drifted));
  const confab = clientAt(server.url, { hooks });
  expect(await confab.leads.get(ids.lead)).toEqual(drifted);
  expect(events.at(-1)).toEqual(['drift', { operation: 'leads.get', issues }]);
});

test('unknown fields and enum values are kept, and do not count as drift', async () => {
  const { events, hooks } = recordHooks();
  const future = { ...lead, status: 'archived', score: 7, nested: { deep: true } };
  const server = await startServer(json(200, { success: true, data: future, requestId: 'x' }));
  const confab = clientAt(server.url, { validation: 'strict', hooks });
  expect(await confab.leads.get(ids.lead)).toEqual(future);
  expect(events.map(([name]) => name)).not.toContain('drift');
});

test('log lines omit the query and headers, which may contain a phone number', async () => {
  const link = '<https://api.example.com/leads?search=%2B5511987654321>; rel=self';
  const page = { success: true, data: [], meta: { total: 0, limit: 20, offset: 0 } };
  const server = await startServer(json(200, page, { link }));
  const debug = vi.fn<(message: string, event: object) => void>();
  const hooks = { onRequest: vi.fn(), onResponse: vi.fn() };
  await clientAt(server.url, { logger: { debug }, hooks }).leads.list({ search: '+5511987654321' });
  expect(JSON.stringify(debug.mock.calls)).not.toContain('5511987654321');
  expect(debug.mock.calls[0]?.[1]).toMatchObject({ url: `${server.url}/api/v2/public/leads` });
  expect(hooks.onRequest.mock.calls[0]?.[0].url).toContain('5511987654321');
  expect(hooks.onResponse.mock.calls[0]?.[0].headers.link).toBe(link);
});
