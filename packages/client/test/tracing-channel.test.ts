import { AsyncLocalStorage } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';
import { afterEach, expect, test, vi } from 'vitest';
import { createClient, InvalidResponseError, NotFoundError } from '../src/index.ts';
import { caught } from './support/caught.ts';
import { createTestClock } from './support/clock.ts';
import { ids, KEY, lead } from './support/data.ts';
import { failure, json, startServer, success } from './support/server.ts';

const channel = tracingChannel('confab:call');
const published: [name: string, message: object][] = [];
const names = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const;
const subscribers = Object.fromEntries(
  names.map((name) => [name, (message: object) => void published.push([name, { ...message }])]),
) as unknown as Parameters<typeof channel.subscribe>[0];

afterEach(() => {
  channel.unsubscribe(subscribers);
  published.length = 0;
});

const clientOf = (url: string) => createClient({ baseUrl: url, apiKey: KEY, clock: createTestClock() });

test('a call is published on confab:call, with what onCallEnd receives and nothing else', async () => {
  channel.subscribe(subscribers);
  const server = await startServer(failure(503, 'BUSY'), success(lead));
  await clientOf(server.url).leads.get(ids.lead);
  const start = { callId: expect.any(Number), operation: 'leads.get' };
  const ended = {
    ...start,
    attempts: 2,
    outcome: 'success',
    durationMs: expect.any(Number),
    queuedMs: 0,
    waitedMs: expect.any(Number),
    error: undefined,
    result: undefined,
  };
  expect(published.map(([name]) => name)).toEqual(['start', 'end', 'asyncStart', 'asyncEnd']);
  expect(published[0]?.[1]).toEqual({ ...start, attempts: 0, queuedMs: 0, waitedMs: 0 });
  expect(published[3]?.[1]).toEqual(ended);
});

test('a call that fails publishes its error, and rejects with it', async () => {
  channel.subscribe(subscribers);
  const server = await startServer(failure(404, 'NOT_FOUND'));
  const error = await caught(clientOf(server.url).leads.get(ids.lead), NotFoundError);
  expect(published.find(([name]) => name === 'error')?.[1]).toMatchObject({ outcome: 'error', error });
});

test('a body that cannot be decoded is an error, but the response can still be read', async () => {
  channel.subscribe(subscribers);
  const server = await startServer(json(200, { ok: true }));
  const call = clientOf(server.url).leads.get(ids.lead);
  await caught(call, InvalidResponseError);
  expect((await call.asResponse()).status).toBe(200);
  expect(published.map(([name]) => name)).toContain('error');
});

test('neither the key nor a body is published', async () => {
  channel.subscribe(subscribers);
  const server = await startServer(success({ ...lead, displayName: 'Secretive' }));
  await clientOf(server.url).leads.create({ phone: '+5511900000000' });
  expect(published.length).toBeGreaterThan(0);
  expect(JSON.stringify(published)).not.toMatch(new RegExp(`${KEY}|Secretive|5511|phone`));
});

test('a store bound to the channel is there in hooks and in fetch', async () => {
  const store = new AsyncLocalStorage<object>();
  const seen: unknown[] = [];
  channel.start.bindStore(store);
  const server = await startServer(success(lead));
  await createClient({
    baseUrl: server.url,
    apiKey: KEY,
    fetch: (url, init) => {
      seen.push(store.getStore());
      return fetch(url, init);
    },
    hooks: { onCallStart: () => seen.push(store.getStore()), onCallEnd: () => seen.push(store.getStore()) },
  }).leads.get(ids.lead);
  channel.start.unbindStore(store);
  expect(seen).toEqual(Array.from({ length: 3 }, () => expect.objectContaining({ operation: 'leads.get' })));
});

test('without subscribers, nothing is published', async () => {
  const server = await startServer(success(lead));
  expect(channel.hasSubscribers).toBe(false);
  expect(await clientOf(server.url).leads.get(ids.lead)).toEqual(lead);
  expect(published).toEqual([]);
});

test('what a subscriber writes into a message reaches no hook, and changes no call', async () => {
  const onCallEnd = vi.fn();
  const writer = {
    start: (message: object) => Object.assign(message, { span: 'mine', callId: -1, attempts: 'x' }),
  } as unknown as typeof subscribers;
  channel.subscribe(writer);
  try {
    const server = await startServer(success(lead));
    const confab = createClient({ baseUrl: server.url, apiKey: KEY, hooks: { onCallEnd } });
    await confab.leads.get(ids.lead);
  } finally {
    channel.unsubscribe(writer);
  }
  expect(onCallEnd.mock.calls).toMatchObject([[{ attempts: 1, outcome: 'success' }]]);
  expect(onCallEnd.mock.calls[0]?.[0]).not.toHaveProperty('span');
  expect(onCallEnd.mock.calls[0]?.[0].callId).toBeGreaterThan(0);
});
