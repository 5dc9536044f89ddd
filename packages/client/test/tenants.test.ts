import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from 'vitest';
import type { Confab, Hooks } from '../src/index.ts';
import { createClient } from '../src/index.ts';
import { createTestClock } from './support/clock.ts';
import { lead } from './support/data.ts';
import { createRows, pagesOf } from './support/list.ts';
import type { Responder } from './support/server.ts';
import { failure, startServer, success } from './support/server.ts';

/** The tenant whose request the user's server is handling. */
const tenant = new AsyncLocalStorage<string>();

const TENANTS = ['alpha', 'beta', 'gamma'];

/** For each request, its tenant and the tenants that the user's functions saw. */
type Sent = readonly [madeFor: string, ...found: (string | undefined)[]];

/** Hooks that expect all events of a call in the context of one tenant. */
const hooksOf = (byCall: Map<number, Set<unknown>>): Hooks => {
  const note = ({ callId }: { readonly callId: number }) => {
    byCall.set(callId, (byCall.get(callId) ?? new Set()).add(tenant.getStore()));
  };
  return { onCallStart: note, onRequest: note, onResponse: note, onRetry: note, onCallEnd: note };
};

/** The first two requests are retried. */
const respond = (): Responder => {
  const responders = [failure(503, 'BUSY'), failure(429, 'SLOW', 'Slow down', { 'retry-after': '1' })];
  return (arrival, ...exchange) =>
    (responders.shift() ?? (arrival.method === 'POST' ? success(lead, 201) : pagesOf(createRows(450))))(
      arrival,
      ...exchange,
    );
};

/** Runs calls of several tenants at once, and returns the requests of each. */
const runForEach = async (run: (confab: Confab, name: string) => Promise<unknown>): Promise<Sent[]> => {
  const server = await startServer(respond());
  const byCall = new Map<number, Set<unknown>>();
  const confab = createClient({
    hooks: hooksOf(byCall),
    baseUrl: server.url,
    clock: createTestClock(),
    concurrency: 2,
    retry: { nonIdempotent: true },
    apiKey: () => `key-${tenant.getStore()}`,
    headers: async () => ({ 'x-headers': tenant.getStore() }),
    fetch: (url, init) => {
      const headers = new Headers(init.headers);
      headers.set('x-fetch', String(tenant.getStore()));
      return fetch(url, { ...init, headers });
    },
  });
  await Promise.all(TENANTS.map((name) => tenant.run(name, () => run(confab, name))));
  expect([...byCall.values()].map(({ size }) => size)).toEqual(Array(byCall.size).fill(1));
  return server.arrivals.map(({ headers, query, body }) => [
    query.get('search') ?? JSON.parse(body).displayName,
    String(headers['x-api-key']).replace('key-', ''),
    String(headers['x-headers']),
    String(headers['x-fetch']),
  ]);
};

const { phone } = lead;
const path = '/api/v2/public/tags';
const ways: Record<string, (confab: Confab, name: string) => Promise<unknown>> = {
  'a call': (confab, displayName) => confab.leads.create({ phone, displayName }),
  'a loop that reads ahead': (confab, search) =>
    Array.fromAsync(confab.leads.list({ search }, { prefetch: 3 })),
  '`all`': (confab, search) => confab.leads.list({ search }).all({ concurrency: 3 }),
  'the next page': async (confab, search) => (await confab.leads.list({ search })).next(),
  'a custom request': (confab, search) => confab.request({ method: 'GET', path, query: { search } }),
  'an import': (confab, displayName) =>
    Array.fromAsync(
      confab.leads.ensureMany([phone, '+442079460002'].map((each) => ({ phone: each, displayName }))),
    ),
};

test.each(Object.entries(ways))(
  'every function of the client runs in the async context of its own call: %s',
  async (_, run) => {
    const sent = await runForEach(run);
    expect(new Set(sent.map(([madeFor]) => madeFor))).toEqual(new Set(TENANTS));
    for (const [madeFor, ...found] of sent) {
      expect(found).toEqual([madeFor, madeFor, madeFor]);
    }
  },
);
