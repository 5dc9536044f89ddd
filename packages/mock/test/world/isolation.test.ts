import type { Lead } from '@confab/client/contract';
import { expect, test } from 'vitest';
import type { Mock, MockOptions } from '../../src/index.ts';
import { createMock, MockError } from '../../src/index.ts';
import { open, PHONE } from '../support/hosts.ts';

const ID = '99999999-9999-4999-8999-999999999999';

test('the same seed gives the same rows, keys, latency and faults, and a different seed gives different ones', async () => {
  const run = async (seed: number) => {
    const { mock, send } = open({ seed, data: 'demo', latency: { min: 0, max: 1_000 } });
    mock.faults.always('agents.list', { status: 500, probability: 0.3 });
    const statuses: number[] = [];
    for (let index = 0; index < 60; index += 1) {
      statuses.push((await send('agents.list')).status);
    }
    await send('leads.create', { body: { phone: PHONE } });
    const { key } = mock.keys.create();
    const [lead] = mock.leads.find();
    return [mock.apiKey, key, lead?.id, mock.clock.now(), statuses] as const;
  };
  const [first, same, other] = [await run(5), await run(5), await run(6)];
  expect(same).toEqual(first);
  expect(first.filter((value, index) => JSON.stringify(value) === JSON.stringify(other[index]))).toEqual([]);
  const failed = first[4].filter((status) => status === 500).length;
  expect([failed > 5, failed < 35]).toEqual([true, true]);
});

test('mock.apiKey depends on every bit of the seed, and not on the rows', () => {
  const keyOf = (options: MockOptions) => createMock(options).apiKey;
  const data = createMock({ seed: 5 }).dump();
  expect([keyOf({ seed: 5, data: 'demo' }), keyOf({ seed: 5, data })]).toEqual(
    Array(2).fill(keyOf({ seed: 5 })),
  );
  const seeds = [5, 6, 5 + 256, 5 + 2 ** 32, 5 + 2 ** 33, -5];
  expect(new Set(seeds.map((seed) => keyOf({ seed }))).size).toBe(seeds.length);
});

test('keys, random faults and latency do not change the ids of rows', async () => {
  const idOf = async (options: MockOptions, arrange: (mock: Mock) => void = () => {}) => {
    const { mock, send } = open(options);
    arrange(mock);
    await send('leads.list');
    return mock.leads.create({}).id;
  };
  const id = await idOf({});
  expect(await idOf({ keys: [{}, {}] })).toBe(id);
  expect(await idOf({ latency: { min: 0, max: 50 } })).toBe(id);
  expect(await idOf({}, ({ faults }) => faults.always('*', { status: 500, probability: 0.5 }))).toBe(id);
});

test('restore() restores rows, ids, keys, rate-limit windows, faults, the log, the time and random numbers', async () => {
  const { mock, send } = open({ rateLimit: 3, latency: { min: 0, max: 9 } });
  const created = mock.leads.create({ phone: PHONE });
  const { key: revoked } = mock.keys.create();
  await send('leads.list');
  const [before, listed] = [mock.snapshot(), mock.keys.list()];
  const run = async () => {
    mock.faults.once('agents.list', { status: 503 });
    const made = await send<Lead>('leads.create', { body: { phone: '+5511987654322' } });
    mock.leads.update(created.id, { status: 'lost' });
    await mock.clock.advance(5_000);
    const { key } = mock.keys.create();
    mock.keys.revoke(revoked);
    const [meta, { status }] = [(await send('leads.list')).body.meta, await send('leads.list')];
    return [made.body.data, meta, status, key, mock.clock.now()];
  };
  const first = await run();
  expect(first[2]).toBe(429);
  mock.restore(before);
  expect(mock.leads.get(created.id)?.status).toBe('new');
  expect([mock.requests.length, mock.keys.list()]).toEqual([1, listed]);
  expect((await send('agents.list')).status).toBe(200);
  mock.restore(before);
  expect(await run()).toEqual(first);
});

test('reset() restores the initial state, and sleeps keep their remaining time', async () => {
  const { mock, send } = open({ data: 'demo' });
  const before = mock.dump();
  await send('leads.create', { body: { phone: PHONE } });
  mock.leads.delete(before.leads[0]!.id!);
  await mock.clock.advance(60_000);
  const woken: number[] = [];
  void mock.clock.sleep(10_000, undefined, 'timeout').then(() => woken.push(mock.clock.now()));
  mock.reset();
  const start = mock.clock.now();
  expect(mock.dump()).toEqual(before);
  await mock.clock.advance(10_000);
  expect(woken).toEqual([start + 10_000]);
});

test('changing an options object or a listed key afterward does not change the mock', async () => {
  const rateLimit = { requests: 5, perMs: 1_000, headers: 'always' as const };
  const behavior = { checks: [401, 429, 403, 400, 404], codes: { '*': { 404: 'MISSING' } } };
  const scopes: Record<string, string> = { 'leads.list': 'read:people' };
  const latency = { min: 5, max: 5 };
  const keys = [{ key: 'a', scopes: ['read:people'] }];
  const { mock, send } = open({ rateLimit, behavior, scopes, latency, keys });
  const fault = { status: 503, headers: { 'x-a': '1' } };
  mock.faults.once('agents.list', fault);
  const [listed] = mock.keys.list();
  expect(listed?.rateLimit).toEqual({ requests: 5, perMs: 1_000 });
  expect(() => Object.assign(listed!.rateLimit, { requests: 0 })).toThrow(TypeError);
  rateLimit.requests = 0;
  behavior.checks.length = 0;
  behavior.codes['*'][404] = 'GONE';
  scopes['leads.list'] = 'read:other';
  latency.max = 1e9;
  fault.headers['x-a'] = '\n';
  expect((await send('agents.list')).headers.get('x-a')).toBe('1');
  expect((await send('leads.get', { id: ID })).body.code).toBe('MISSING');
  expect((await send('leads.list', { key: 'a' })).status).toBe(200);
  expect(mock.requests.all.map(({ durationMs }) => durationMs)).toEqual([5, 5, 5]);
});

test('restore() refuses a snapshot of a different mock', () => {
  expect(() => createMock().restore(createMock().snapshot())).toThrow(MockError);
});
