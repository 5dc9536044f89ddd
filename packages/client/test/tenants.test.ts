import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from 'vitest';
import type { ClientOptions, Confab, Hooks } from '../src/index.ts';
import { createClient } from '../src/index.ts';
import { createTestClock } from './support/clock.ts';
import { lead } from './support/data.ts';
import { createRows, pagesOf } from './support/list.ts';
import type { Responder } from './support/server.ts';
import { failure, startServer, success } from './support/server.ts';

/** The tenant whose request a server of the user's handles, as its code finds it. */
const tenant = new AsyncLocalStorage<string>();

const TENANTS = ['alpha', 'beta', 'gamma'];

/** The tenant that each request was made for, and the ones of whom the functions of the client knew. */
type Sent = readonly [madeFor: string, ...found: (string | undefined)[]];

/** Hooks that expect the events of each call to come in the context of one tenant. */
const hooksOf = (byCall: Map<number, Set<unknown>>): Hooks => {
  const note = ({ callId }: { readonly callId: number }) => {
    byCall.set(callId, (byCall.get(callId) ?? new Set()).add(tenant.getStore()));
  };
  return { onCallStart: note, onRequest: note, onResponse: note, onRetry: note, onCallEnd: note };
};

/** Runs calls of several tenants at once, and returns what was sent for whom. */
const runForEach = async (
  responders: readonly Responder[],
  run: (confab: Confab, name: string) => Promise<unknown>,
  options: ClientOptions = {},
): Promise<Sent[]> => {
  const server = await startServer(...responders);
  const byCall = new Map<number, Set<unknown>>();
  const confab = createClient({
    hooks: hooksOf(byCall),
    baseUrl: server.url,
    clock: createTestClock(),
    concurrency: 2,
    apiKey: () => `key-${tenant.getStore()}`,
    headers: async () => ({ 'x-headers': tenant.getStore() }),
    fetch: (url, init) => {
      const headers = new Headers(init.headers);
      headers.set('x-fetch', String(tenant.getStore()));
      return fetch(url, { ...init, headers });
    },
    ...options,
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

const rowsFor = (displayName: string) =>
  ['+442079460001', '+442079460002'].map((phone) => ({ phone, displayName }));

test.each<[string, Responder[], (confab: Confab, name: string) => Promise<unknown>]>([
  [
    'calls that wait for a slot',
    [success(lead, 201)],
    (confab, displayName) => confab.leads.create({ phone: lead.phone, displayName }),
  ],
  [
    'a call that is repeated',
    [failure(503, 'BUSY'), failure(429, 'SLOW', 'Slow down', { 'retry-after': '1' }), pagesOf([])],
    async (confab, search) => confab.leads.list({ search }),
  ],
  [
    'a loop that reads ahead',
    [pagesOf(createRows(450))],
    async (confab, search) => {
      for await (const _ of confab.leads.list({ search }, { prefetch: 3 })) {
      }
    },
  ],
  [
    '`all`',
    [pagesOf(createRows(450))],
    (confab, search) => confab.leads.list({ search }).all({ concurrency: 3 }),
  ],
  [
    'the next page',
    [pagesOf(createRows(60))],
    async (confab, search) => {
      const page = await confab.leads.list({ search, limit: 25 });
      await page.next();
    },
  ],
  [
    'a custom request',
    [success([])],
    (confab, search) => confab.request({ method: 'GET', path: '/api/v2/public/tags', query: { search } }),
  ],
  [
    'a loop over an import',
    [success(lead, 201)],
    async (confab, name) => {
      for await (const _ of confab.leads.ensureMany(rowsFor(name), { concurrency: 2 })) {
      }
    },
  ],
])(
  'every function of the client runs in the async context of its own call: %s',
  async (_, responders, run) => {
    const sent = await runForEach(responders, run);
    expect(new Set(sent.map(([madeFor]) => madeFor))).toEqual(new Set(TENANTS));
    for (const [madeFor, ...found] of sent) {
      expect(found).toEqual([madeFor, madeFor, madeFor]);
    }
  },
);

test('a key function that looks up the tenant first gets the tenant of its own call, with many calls at once', async () => {
  const apiKey = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    const name = tenant.getStore();
    await new Promise((resolve) => setImmediate(resolve));
    return `key-${name}`;
  };
  const sent = await runForEach([pagesOf([])], async (confab, search) => confab.leads.list({ search }), {
    apiKey,
    concurrency: 10,
  });
  expect(sent).toHaveLength(TENANTS.length);
  for (const [madeFor, key] of sent) {
    expect(key).toBe(madeFor);
  }
});
