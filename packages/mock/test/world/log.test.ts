import type { OperationId } from '@confab/client/contract';
import { expect, test } from 'vitest';
import { RequestLog } from '../../src/world/log/log.ts';
import type { LoggedRequest } from '../../src/world/log/logged-request.ts';
import { hosts, open } from '../support/hosts.ts';

for (const host of hosts) {
  test(`a request is logged with the time at which it came in, before its latency (${host.name})`, async () => {
    await using service = await host.open({ latency: 250 });
    const { mock, send } = service;
    const began = mock.clock.now();
    await send('agents.list');
    await mock.clock.advance(1_000);
    await send('agents.list');
    expect(mock.requests.all.map(({ at }) => at - began)).toEqual([0, 1_250]);
  });
}

test('the log keeps the body of every response, the beginning of a long one, and no key in it', async () => {
  const { mock, send } = open();
  const lead = mock.leads.create({ displayName: mock.apiKey });
  const one = await send('leads.get', { id: lead.id });
  await send('leads.get', { id: 'nobody' });
  for (let at = 0; at < 50; at += 1) {
    mock.leads.create({});
  }
  await send('leads.list', { query: 'limit=50' });
  const [first, refused, list] = mock.requests.all.map(({ responseBody }) => responseBody);
  expect(JSON.parse(first ?? '')).toEqual({
    success: true,
    data: { ...(one.body as { data: object }).data, displayName: '[redacted]' },
  });
  expect(JSON.parse(refused ?? '')).toMatchObject({ success: false, code: 'INVALID_PARAMETERS' });
  expect(list).toHaveLength(4_096);
});

test('what was logged can not be changed, nor what a snapshot keeps of it', async () => {
  const { mock, send } = open();
  const lead = mock.leads.create({});
  await send('leads.update', { id: lead.id, body: { status: 'lost' } });
  await send('leads.list', { query: 'limit=5' });
  await send('leads.create', { body: 'text' });
  const before = structuredClone(mock.requests.all);
  const snapshot = mock.snapshot();
  for (const entry of mock.requests.all) {
    for (const part of [entry, entry.params, entry.query, entry.body]) {
      if (typeof part === 'object') {
        expect(() => Object.assign(part as object, { status: 'new' })).toThrow(TypeError);
      }
    }
  }
  mock.restore(snapshot);
  expect(mock.requests.all).toEqual(before);
});

test('the latest 10,000 are kept, in every way of looking at them', () => {
  const log = new RequestLog(Number.POSITIVE_INFINITY);
  const told: number[] = [];
  const unsubscribe = log.subscribe(({ at }) => told.push(at));
  const add = (at: number, operation: OperationId) => {
    const entry: LoggedRequest = {
      ...{ operation, method: 'GET', path: '/', keyId: undefined, params: {}, query: {}, search: '' },
      ...{
        body: undefined,
        bodyTruncated: false,
        status: 200,
        error: undefined,
        responseBody: undefined,
        fault: undefined,
        at,
        durationMs: 0,
      },
    };
    log.add(entry, 1);
  };
  for (let at = 0; at < 35_000; at += 1) {
    add(at, at % 2 === 0 ? 'leads.list' : 'agents.list');
    if (at === 3) {
      unsubscribe();
    }
    const kept = Math.min(at + 1, 10_000);
    if (at % 4_999 !== 0) {
      continue;
    }
    expect([log.length, log.all.length, [...log].length]).toEqual(Array(3).fill(kept));
    expect(log.all.at(-1)?.at).toBe(at);
    expect(log.of('leads.list').length).toBe(log.all.filter(({ at: each }) => each % 2 === 0).length);
  }
  expect(log.all[0]?.at).toBe(25_000);
  expect(told).toEqual([0, 1, 2, 3]);
  log.clear();
  expect([log.length, log.of('leads.list')]).toEqual([0, []]);
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
  expect(Object.isFrozen(mock.requests.all[1]?.error)).toBe(true);
});
