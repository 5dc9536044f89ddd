import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createReadAhead } from '../src/lists/read-ahead.ts';
import type { RawPage } from '../src/lists/read-page.ts';
import { rowOf } from './support/list.ts';

type Row = ReturnType<typeof rowOf>;

/** Reads pages that arrive when the test says so. */
const setUp = () => {
  const controller = new AbortController();
  const reads: { readonly offset: number; readonly limit: number; readonly signal: AbortSignal }[] = [];
  const arrivals: { arrive: (page: RawPage<Row>) => void; fail: (reason: unknown) => void }[] = [];
  const reader = createReadAhead<Row>(({ offset = 0, limit = 0 }, signal) => {
    reads.push({ offset, limit, signal: signal as AbortSignal });
    return new Promise((resolve, reject) => {
      arrivals.push({ arrive: resolve, fail: reject });
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  }, controller.signal);
  const offsets = () => reads.map(({ offset }) => offset);
  const aborted = () => reads.filter(({ signal }) => signal.aborted).map(({ offset }) => offset);
  return { controller, reader, reads, arrivals, offsets, aborted };
};

const page = (offset: number): RawPage<Row> => ({
  operation: 'leads.list',
  offset,
  rows: [rowOf(offset)],
  total: 100,
  meta: { total: 100, limit: 10, offset },
  asked: 10,
});

test('a page that was read ahead is not read again', async () => {
  const { reader, arrivals, offsets } = setUp();
  reader.expect([{ offset: 10, limit: 10 }]);
  const taken = reader.take({ offset: 10, limit: 10 });
  arrivals[0]?.arrive(page(10));
  expect(await taken).toEqual(page(10));
  expect(offsets()).toEqual([10]);
});

test('a page is kept only until it is taken', async () => {
  const { reader, arrivals, offsets } = setUp();
  for (const time of [0, 1]) {
    const taken = reader.take({ offset: 10, limit: 10 });
    arrivals[time]?.arrive(page(10));
    await taken;
  }
  expect(offsets()).toEqual([10, 10]);
});

test('pages that are no longer expected are aborted, and others go on', () => {
  const { reader, offsets, aborted } = setUp();
  reader.expect([10, 20, 30].map((offset) => ({ offset, limit: 10 })));
  reader.expect([
    { offset: 20, limit: 10 },
    { offset: 30, limit: 5 },
  ]);
  expect(aborted()).toEqual([10, 30]);
  expect(offsets()).toEqual([10, 20, 30, 30]);
});

test.each([
  ['another place', { offset: 15, limit: 10 }],
  ['another length', { offset: 10, limit: 5 }],
])('taking a page of %s aborts what was read ahead', async (_, stretch) => {
  const { reader, arrivals, aborted, reads } = setUp();
  reader.expect([10, 20].map((offset) => ({ offset, limit: 10 })));
  const taken = reader.take(stretch);
  expect(aborted()).toEqual([10, 20]);
  expect(reads.at(-1)).toMatchObject(stretch);
  arrivals.at(-1)?.arrive(page(stretch.offset));
  expect(await taken).toEqual(page(stretch.offset));
});

test('after a failure nothing more is read ahead, and the failure is reported with its page', async () => {
  const { reader, arrivals, offsets } = setUp();
  reader.expect([{ offset: 10, limit: 10 }]);
  arrivals[0]?.fail(new TypeError('fetch failed'));
  // The failure must not count as unhandled before it is taken.
  await new Promise(setImmediate);
  reader.expect([10, 20].map((offset) => ({ offset, limit: 10 })));
  expect(offsets()).toEqual([10]);
  await expect(reader.take({ offset: 10, limit: 10 })).rejects.toThrow('fetch failed');
});

test('a page that was given up is no failure', async () => {
  const { reader, offsets } = setUp();
  reader.expect([{ offset: 10, limit: 10 }]);
  reader.expect([]);
  await new Promise(setImmediate);
  reader.expect([{ offset: 20, limit: 10 }]);
  expect(offsets()).toEqual([10, 20]);
});

test('the signal aborts every page with its reason, also one that is started later', async () => {
  const { controller, reader, reads } = setUp();
  reader.expect([10, 20].map((offset) => ({ offset, limit: 10 })));
  const reason = new Error('enough');
  controller.abort(reason);
  const later = reader.take({ offset: 50, limit: 10 });
  expect(reads.map(({ signal }) => signal.aborted)).toEqual([true, true, true]);
  expect(reads[0]?.signal.reason).toBe(reason);
  expect(reads[2]?.signal.reason).toBe(reason);
  reads[2]?.signal.dispatchEvent(new Event('abort'));
  await expect(later).rejects.toBe(reason);
});

test('closing aborts every page and stops listening', () => {
  const { controller, reader, aborted } = setUp();
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
  reader.expect([10, 20].map((offset) => ({ offset, limit: 10 })));
  reader.close();
  expect(aborted()).toEqual([10, 20]);
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
});
