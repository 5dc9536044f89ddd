import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RawPage, ReadPage } from '../src/pagination/read-page.ts';
import type { WalkOptions } from '../src/pagination/walk.ts';
import { walk } from '../src/pagination/walk.ts';
import type { Row } from './support/list.ts';
import { idsOf, numbered, rowOf } from './support/list.ts';

interface Asked {
  readonly offset: number;
  readonly limit: number;
}

/** The rows that a service returns, and its total if it reports one. */
type Answer = (asked: Asked, count: number) => { readonly rows: Row[]; readonly total?: number | undefined };

const DEFAULTS = { limit: 10, offset: 0, max: Number.POSITIVE_INFINITY, ahead: 0 };

/** Returns a `read` that gets what a service returns, and what it was asked. */
const reading = (answer: Answer) => {
  const asked: Asked[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  const read: ReadPage<Row> = async ({ offset = 0, limit = 0 }, signal): Promise<RawPage<Row>> => {
    asked.push({ offset, limit });
    signals.push(signal);
    const { rows, total } = answer({ offset, limit }, asked.length);
    return {
      operation: 'leads.list',
      offset,
      rows,
      total,
      meta: { total: total ?? 0, limit, offset },
      asked: limit,
    };
  };
  return { asked, signals, read };
};

/** Walks through what a service returns. */
const walkThrough = async (answer: Answer, options: Partial<WalkOptions> = {}) => {
  const { asked, read } = reading(answer);
  const seen: Row[] = [];
  const { signal } = new AbortController();
  for await (const { rows } of walk('leads.list', read, { ...DEFAULTS, signal, ...options })) {
    seen.push(...rows);
  }
  return { asked, seen: idsOf(seen) };
};

const slice = (rows: readonly Row[], { offset, limit }: Asked) => ({
  rows: rows.slice(offset, offset + limit),
  total: rows.length,
});

test('the first request asks for no more rows than one page has', async () => {
  const { asked } = await walkThrough((page) => slice(numbered(1), page), { limit: 1 });
  expect(asked).toEqual([{ offset: 0, limit: 1 }]);
});

test('pages of one row share it with the page before, so each request asks for two', async () => {
  const rows = numbered(4);
  const { asked, seen } = await walkThrough((page) => slice(rows, page), { limit: 1 });
  expect(seen).toEqual(idsOf(rows));
  expect(asked).toEqual([
    { offset: 0, limit: 1 },
    { offset: 0, limit: 2 },
    { offset: 1, limit: 2 },
    { offset: 2, limit: 2 },
  ]);
});

test('no row beyond `max` is read ahead', async () => {
  const rows = numbered(100);
  const { asked, seen } = await walkThrough((page) => slice(rows, page), { max: 25, ahead: 8 });
  expect(seen).toEqual(idsOf(rows.slice(0, 25)));
  expect(asked).toEqual([
    { offset: 0, limit: 10 },
    { offset: 9, limit: 10 },
    { offset: 18, limit: 7 },
  ]);
});

test('no page is read ahead that could only repeat the last row', async () => {
  const rows = numbered(28);
  const { asked, seen } = await walkThrough((page) => slice(rows, page), { ahead: 8 });
  expect(seen).toEqual(idsOf(rows));
  expect(asked.map(({ offset }) => offset)).toEqual([0, 9, 18]);
});

test('a service that returns more rows than it was asked for does not exceed `max`', async () => {
  const rows = numbered(30);
  const { seen } = await walkThrough(() => ({ rows, total: 30 }), { max: 5 });
  expect(seen).toEqual(idsOf(rows.slice(0, 5)));
});

test('a list that is emptied meanwhile ends with the next response', async () => {
  const rows = numbered(30);
  const { asked, seen } = await walkThrough((page, count) => slice(count === 1 ? rows : [], page));
  expect(seen).toEqual(idsOf(rows.slice(0, 10)));
  expect(asked).toHaveLength(2);
});

test('an empty page right at the end of a list that shrank is not the end', async () => {
  const rows = numbered(20);
  // Two of the ten rows that were read stay, and seven others: the list ends where the next page begins.
  const left = [...rows.slice(8, 10), ...rows.slice(10, 17)];
  const { seen } = await walkThrough((page, count) => slice(count === 1 ? rows : left, page));
  expect(seen).toEqual(idsOf(rows.slice(0, 17)));
});

test('a long walk has patience again after every page with new rows', async () => {
  const rows = numbered(600);
  let inserted = 10_000;
  const { seen } = await walkThrough((page, count) => {
    if (count % 2 === 0) {
      // The next page repeats the one before it.
      rows.unshift(...numbered(9).map((_, index) => rowOf(inserted + index)));
      inserted += 9;
    }
    return slice(rows, page);
  });
  expect(seen).toEqual(idsOf(numbered(600)));
});

test('without a total, the walk ends at an empty page or at one that has only the last row', async () => {
  const rows = numbered(19);
  const { asked, seen } = await walkThrough(({ offset, limit }) => ({
    rows: rows.slice(offset, offset + limit),
  }));
  expect(seen).toEqual(idsOf(rows));
  expect(asked.map(({ offset }) => offset)).toEqual([0, 9, 18]);
});

test('without a total, a first page of one row is not the end when no more were asked for', async () => {
  const rows = numbered(3);
  const { seen } = await walkThrough((page) => ({ rows: slice(rows, page).rows }), { limit: 1 });
  expect(seen).toEqual(idsOf(rows));
});

test('without a total, a page of two rows that were returned before is not the end', async () => {
  const rows = numbered(6);
  const { seen } = await walkThrough(
    ({ offset, limit }, count) => {
      if (count === 3) {
        rows.unshift(rowOf(100));
      }
      return { rows: rows.slice(offset, offset + limit) };
    },
    { limit: 2 },
  );
  expect(seen).toEqual(idsOf(numbered(6)));
});

test('without a total, the walk steps back when rows were removed, twice as far each time', async () => {
  const all = numbered(100);
  const { asked, seen } = await walkThrough(({ offset, limit }, count) => ({
    rows: (count <= 5 ? all : all.slice(30)).slice(offset, offset + limit),
  }));
  expect(seen).toEqual(idsOf(all));
  expect(asked.slice(5, 11).map(({ offset }) => offset)).toEqual([45, 44, 42, 38, 30, 14]);
});

test('a walk that begins beyond the end of a list returns nothing', async () => {
  const rows = numbered(1);
  const { asked, seen } = await walkThrough((page) => slice(rows, page), { offset: 2 });
  expect(seen).toEqual([]);
  expect(asked).toHaveLength(1);
});

test('a page with the last rows of a list is the last, wherever the walk began', async () => {
  const rows = numbered(4);
  const { asked, seen } = await walkThrough((page) => slice(rows, page), { offset: 2 });
  expect(seen).toEqual(idsOf(rows.slice(2)));
  expect(asked).toHaveLength(1);
});

test('an abort between two pages ends the walk before the next request', async () => {
  const controller = new AbortController();
  const { asked, read } = reading((page) => slice(numbered(50), page));
  const steps = walk('leads.list', read, { ...DEFAULTS, signal: controller.signal });
  await steps.next();
  controller.abort('enough');
  await expect(steps.next()).rejects.toBe('enough');
  expect(asked).toHaveLength(1);
});

test('leaving a walk aborts the pages that it reads ahead', async () => {
  const { signals, read } = reading((page) => slice(numbered(100), page));
  const { signal } = new AbortController();
  const steps = walk('leads.list', read, { ...DEFAULTS, ahead: 3, signal });
  await steps.next();
  expect(signals.map((each) => each?.aborted)).toEqual([false, false, false, false]);
  await steps.return();
  expect(signals.map((each) => each?.aborted)).toEqual([false, true, true, true]);
});

test('a walk from an offset whose rows are all gone searches the list once', async () => {
  const rows = numbered(60);
  const { asked, seen } = await walkThrough(
    (page, count) => {
      if (count === 2) {
        rows.splice(20, 5);
      }
      return slice(rows, page);
    },
    { offset: 20, limit: 5 },
  );
  expect(seen).toEqual(expect.arrayContaining(idsOf(numbered(60).slice(25))));
  expect(asked.slice(0, 5).map(({ offset }) => offset)).toEqual([20, 24, 19, 9, 0]);
  expect(asked[5]).toEqual({ offset: 15, limit: 5 });
});

/** A change of a list between two responses. */
const change = fc.record({
  /** Which rows before the start of the walk are removed, as parts of those that are left there. */
  removed: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 8 }),
  behind: fc.nat(8),
  ahead: fc.nat(3),
});

test('a walk from an offset returns every row that stays, whatever changes before it, once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 20, max: 80 }),
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 2, max: 12 }),
      fc.array(change, { maxLength: 12 }),
      async (size, offset, limit, changes) => {
        const rows = numbered(size);
        const start = rows[offset];
        const first = idsOf(rows.slice(offset));
        let [added, lost, returned] = [10_000, 0, 0];
        const fresh = (count: number) => {
          added += count;
          return Array.from({ length: count }, (_, index) => rowOf(added - index));
        };
        const { read } = reading((page, count) => {
          const { removed, behind, ahead } = changes[count - 2] ?? { removed: [], behind: 0, ahead: 0 };
          for (const part of removed) {
            const before = start === undefined ? 0 : rows.indexOf(start);
            // A walk can find its place only by rows that it has returned.
            if (before > 0 && lost < returned) {
              rows.splice(Math.floor(part * before), 1);
              lost += 1;
            }
          }
          rows.push(...fresh(behind));
          rows.unshift(...fresh(ahead));
          return slice(rows, page);
        });
        const { signal } = new AbortController();
        const seen: string[] = [];
        for await (const step of walk('leads.list', read, { ...DEFAULTS, limit, offset, signal })) {
          seen.push(...idsOf(step.rows));
          if (step.rows.length > 0) {
            [lost, returned] = [0, seen.length];
          }
        }
        expect(new Set(seen).size).toBe(seen.length);
        expect(first.filter((id) => !seen.includes(id))).toEqual([]);
        // Rows that are added ahead move others behind the start.
        if (changes.every(({ ahead }) => ahead === 0)) {
          const before = new Set(idsOf(numbered(size)).slice(0, offset));
          expect(seen.filter((id) => before.has(id))).toEqual([]);
        }
      },
    ),
    { numRuns: 1_000 },
  );
});
