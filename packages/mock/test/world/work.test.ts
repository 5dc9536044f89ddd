import type { Lead } from '@confab/client/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { Ordered } from '../../src/world/store/ordered.ts';
import { open } from '../support/hosts.ts';

// What has to cost the same for many rows as for few is held to that by counting work, not by a clock.

afterEach(() => {
  vi.restoreAllMocks();
});

const COUNT = 5_000;

/** A mock with many leads, and how many rows are taken out of its tables by something. */
const setUp = () => {
  const service = open({
    data: {
      leads: Array.from({ length: COUNT }, (_, at) => ({
        phone: `+1202${2_000_000 + at}`,
        status: at % 2 === 0 ? 'new' : 'lost',
      })),
    },
  });
  const slice = vi.spyOn(Ordered.prototype, 'slice');
  const first = vi.spyOn(Ordered.prototype, 'firstAfter');
  const taken = async (act: () => unknown): Promise<number> => {
    slice.mockClear();
    first.mockClear();
    await act();
    // Every row that leaves a table does so here.
    const found = first.mock.results.filter(({ value }) => value !== undefined).length;
    return slice.mock.results.reduce((sum, { value }) => sum + value.length, found);
  };
  return { ...service, taken };
};

test('a page of a list reads only its own rows', async () => {
  const { send, taken } = setUp();
  for (const [query, rows] of [
    ['', 25],
    ['status=new', 25],
    ['status=new&source=api&limit=3', 3],
    ['offset=2000', 25],
    ['status=active', 0],
  ] as const) {
    expect([query, await taken(() => send('leads.list', { query }))]).toEqual([query, rows]);
  }
});

test('a row is found by its id or its phone without looking at others', async () => {
  const { mock, send, taken } = setUp();
  const { id, phone } = mock.leads.find()[7]!;
  expect(await taken(() => send<Lead>('leads.get', { id }))).toBe(1);
  expect(await taken(() => expect(mock.leads.find({ phone })).toHaveLength(1))).toBe(1);
  expect(await taken(() => expect(mock.leads.find({ id })).toHaveLength(1))).toBe(1);
  expect(await taken(() => expect(mock.leads.count({ phone, status: 'none' })).toBe(0))).toBe(1);
  expect(await taken(() => expect(mock.leads.find({ phone: '+12025550100' })).toEqual([]))).toBeLessThan(2);
});

test('counts, funnels and snapshots read no rows', async () => {
  const { mock, send, taken } = setUp();
  expect(await taken(() => expect(mock.leads.count({ status: 'new' })).toBe(COUNT / 2))).toBe(0);
  expect(await taken(() => send('analytics.funnel'))).toBe(0);
  expect(await taken(() => mock.restore(mock.snapshot()))).toBe(0);
  expect(await taken(() => mock.reset())).toBe(0);
});

test('adding, replacing, removing and finding compare with few of many items', () => {
  let compared = 0;
  const count = (a: number, b: number) => {
    compared += 1;
    return a - b;
  };
  const ordered = Ordered.by(
    count,
    Array.from({ length: 100_000 }, (_, at) => at),
  );
  const work = (act: () => unknown): number => {
    compared = 0;
    act();
    return compared;
  };
  for (const at of [0, 33_333, 99_999]) {
    expect(work(() => ordered.with(at + 0.5))).toBeLessThan(100);
    expect(work(() => ordered.with(at))).toBeLessThan(100);
    expect(work(() => ordered.without(at))).toBeLessThan(100);
    expect(work(() => ordered.rank((item) => count(item, at) < 0))).toBeLessThan(100);
  }
});
