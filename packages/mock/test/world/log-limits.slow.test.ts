import { bytesInUse, eventually } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import type { Fault, LoggedRequest } from '../../src/index.ts';
import { RequestLog } from '../../src/world/log/request-log.ts';
import { open } from '../support/hosts.ts';
import { secret } from '../support/receiver.ts';

const MIB = 1024 * 1024;

/** JSON of about `bytes` bytes that takes much more memory once it is parsed. */
const wide = (bytes: number): string => `{"content":[${'{},'.repeat(bytes / 3)}1]}`;

const entryOf = (path: string): LoggedRequest => ({
  ...{ operation: undefined, method: 'GET', path, keyId: undefined, params: {}, query: {}, search: '' },
  ...{ body: undefined, bodyTruncated: false, status: 200, error: undefined },
  ...{ responseBody: undefined, responseTruncated: false },
  ...{ fault: undefined, at: 0, durationMs: 0 },
});

test('the request log drops its oldest requests beyond its memory limit', () => {
  const log = new RequestLog(100);
  const paths = () => log.all.map(({ path }) => path);
  for (const path of ['/a', '/b', '/c', '/d']) {
    log.add(entryOf(path), 40);
  }
  expect(paths()).toEqual(['/c', '/d']);
  const saved = log.save();
  log.add(entryOf('/large'), 101);
  expect(paths()).toEqual([]);
  log.load(saved);
  log.add(entryOf('/e'), 40);
  expect(paths()).toEqual(['/d', '/e']);
});

test('the request log keeps the latest 10,000 requests', () => {
  const log = new RequestLog(Number.POSITIVE_INFINITY);
  for (let index = 0; index < 10_005; index += 1) {
    log.add(entryOf(`/${index}`), 1);
  }
  expect([log.length, log.all[0]?.path, log.all.at(-1)?.path]).toEqual([10_000, '/5', '/10004']);
});

test('the request log keeps only the beginning of a long body of a refused request', async () => {
  const { mock, send } = open();
  const text = wide(1_000_000);
  const before = await bytesInUse();
  for (let sent = 0; sent < 300; sent += 1) {
    await send('leads.create', { key: null, body: `${sent} ${text}` });
  }
  expect((await bytesInUse()) - before).toBeLessThan(8 * MIB);
  expect(mock.requests.length).toBe(300);
  const body = `0 ${text}`.slice(0, 4_096);
  expect(mock.requests.all[0]).toMatchObject({ status: 401, body, bodyTruncated: true });
});

test.each<[status: number, body: object, request?: object, fault?: Fault]>([
  [400, { notes: 'x'.repeat(4_000), unknown: true }],
  [401, { notes: 'x'.repeat(4_000) }, { key: 'confab_live_unknown' }],
  // A body of any length, if the request was accepted or has a fault.
  [200, { notes: 'x'.repeat(100_000) }],
  [503, { notes: 'x'.repeat(100_000) }, {}, { status: 503 }],
])(
  'the request log keeps this body of a request with the response %i whole',
  async (status, body, request, fault) => {
    const { mock, send } = open();
    if (fault !== undefined) {
      mock.faults.once('leads.update', fault);
    }
    await send('leads.update', { id: mock.leads.create({}).id, body, ...request });
    expect(mock.requests.all).toMatchObject([{ status, body, bodyTruncated: false }]);
  },
);

test('maxLogBytes limits the memory of parsed bodies, not only their bytes', async () => {
  const { mock, send } = open({ maxLogBytes: 4 * MIB, strict: false });
  mock.faults.always('*', { status: 500 });
  const before = await bytesInUse();
  for (let sent = 0; sent < 40; sent += 1) {
    await send('leads.create', { body: wide(600_000) });
  }
  expect((await bytesInUse()) - before).toBeLessThan(16 * MIB);
});

test('the request log is empty with maxLogBytes: 0', async () => {
  const { mock, send } = open({ maxLogBytes: 0 });
  expect((await send('agents.list')).status).toBe(200);
  expect(mock.requests.all).toEqual([]);
});

test('a deeply nested body gets a 400, and its entry in the log can be cloned and printed', async () => {
  const { mock, send } = open();
  const nested = (levels: number) => `{"phone":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  expect((await send('leads.create', { body: nested(100) })).body.error).not.toContain('nested');
  mock.requests.clear();
  const deep = nested(100_000);
  for (const sent of [nested(101), deep]) {
    const { status, body } = await send('leads.create', { body: sent });
    expect([status, body.error]).toEqual([400, 'body must not be nested deeper than 100 levels']);
  }
  mock.faults.once('leads.create', ({ body }) => (body === deep ? { status: 418 } : undefined));
  expect((await send('leads.create', { body: deep })).status).toBe(418);
  expect(JSON.stringify(structuredClone(mock.requests.all))).toContain('[[[');
  expect(mock.requests.all.map(({ bodyTruncated }) => bodyTruncated)).toEqual([false, true, false]);
});

test('finished deliveries take no more memory than maxLogBytes', async () => {
  const { mock } = open({ maxLogBytes: 2 * MIB });
  mock.webhooks.add({ url: 'https://receiver.test', secret, fetch: () => new Response() });
  const before = await bytesInUse();
  for (let sent = 0; sent < 60; sent += 1) {
    mock.webhooks.emit(String(sent), { text: 'x'.repeat(300_000) });
    await mock.webhooks.flush();
  }
  // The platform frees the body of a request some time later.
  await eventually(async () => expect((await bytesInUse()) - before).toBeLessThan(8 * MIB));
  const { deliveries } = mock.webhooks;
  expect(deliveries.length).toBeLessThan(10);
  expect(deliveries.at(-1)?.event).toBe('59');
});
