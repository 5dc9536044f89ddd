import type { Lead } from '@confab/client/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { Table } from '../../src/world/store/table.ts';
import { open } from '../support/hosts.ts';

// These tests prove that a cost does not depend on the number of rows. They count the rows that are read, and measure no time.

afterEach(() => {
  vi.restoreAllMocks();
});

const COUNT = 5_000;

/** A mock with many leads, and a function that counts the rows that an action reads. */
const setUp = () => {
  const service = open({
    data: {
      leads: Array.from({ length: COUNT }, (_, index) => ({
        phone: `+1202${2_000_000 + index}`,
        status: index % 2 === 0 ? 'new' : 'lost',
      })),
    },
  });
  const page = vi.spyOn(Table.prototype, 'page');
  const one = [vi.spyOn(Table.prototype, 'get'), vi.spyOn(Table.prototype, 'findUnique')];
  const taken = async (act: () => unknown): Promise<number> => {
    vi.clearAllMocks();
    await act();
    // Rows leave a table only through these methods.
    const found = one.flatMap(({ mock }) => mock.results).filter(({ value }) => value !== undefined).length;
    return page.mock.results.reduce((sum, { value }) => sum + value.rows.length, found);
  };
  return { ...service, taken };
};

test('a list request reads only the rows of its page, however long the list is', async () => {
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

test('find(), get() and count() by an id or a phone number read no other rows', async () => {
  const { mock, send, taken } = setUp();
  const { id, phone } = mock.leads.find()[7]!;
  expect(await taken(() => send<Lead>('leads.get', { id }))).toBe(1);
  // The row is read once more to see that the number is normalized.
  expect(await taken(() => expect(mock.leads.find({ phone })).toHaveLength(1))).toBe(2);
  expect(await taken(() => expect(mock.leads.find({ id })).toHaveLength(1))).toBe(1);
  expect(await taken(() => expect(mock.leads.count({ phone, status: 'none' })).toBe(0))).toBe(2);
  expect(await taken(() => expect(mock.leads.find({ phone: '+12025550100' })).toEqual([]))).toBeLessThan(2);
});

test('counts, funnels and snapshots read no rows', async () => {
  const { mock, send, taken } = setUp();
  expect(await taken(() => expect(mock.leads.count({ status: 'new' })).toBe(COUNT / 2))).toBe(0);
  expect(await taken(() => send('analytics.funnel'))).toBe(0);
  expect(await taken(() => mock.restore(mock.snapshot()))).toBe(0);
  expect(await taken(() => mock.reset())).toBe(0);
});
