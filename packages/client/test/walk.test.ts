import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RawPage, ReadPage } from '../src/lists/read-page.ts';
import { walk } from '../src/lists/walk.ts';
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
const walkThrough = async (answer: Answer, options: Partial<typeof DEFAULTS> = {}) => {
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

test('without a total, the walk steps back when rows were removed, twice as far each time', async () => {
  const all = numbered(100);
  const { asked, seen } = await walkThrough(({ offset, limit }, count) => ({
    rows: (count <= 5 ? all : all.slice(30)).slice(offset, offset + limit),
  }));
  expect(seen).toEqual(idsOf(all));
  expect(asked.slice(5, 11).map(({ offset }) => offset)).toEqual([45, 44, 42, 38, 30, 14]);
});

test('a walk from an offset whose rows are all gone goes back no further than the offset', async () => {
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
  expect(seen).toEqual(idsOf(numbered(60).slice(20)));
  expect(asked.slice(0, 3).map(({ offset }) => offset)).toEqual([20, 24, 20]);
});

/** A place in a list, as a part of its length. */
const place = fc.double({ min: 0, max: 0.999, noNaN: true });

/** A change of a list between two responses: where single rows are removed, where new ones are added, and all of a range. */
const change = fc.record({
  removed: fc.array(place, { maxLength: 8 }),
  cleared: fc.oneof(fc.constant(undefined), fc.record({ from: place, count: fc.nat(30) })),
  added: fc.array(place, { maxLength: 4 }),
  behind: fc.nat(30),
});

test('a walk returns every row that stands at its offset or behind it throughout, once, and none from before it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 20, max: 80 }),
      fc.nat(30),
      fc.integer({ min: 2, max: 12 }),
      fc.nat(3),
      fc.array(change, { maxLength: 12 }),
      async (size, offset, limit, ahead, changes) => {
        const rows = numbered(size);
        let created = 10_000;
        const create = () => {
          created += 1;
          return rowOf(created);
        };
        let owed = idsOf(rows);
        const behind = new Set<string>();
        const { read } = reading((page, count) => {
          const {
            removed,
            cleared,
            added,
            behind: more,
          } = changes[count - 2] ?? {
            removed: [],
            cleared: undefined,
            added: [],
            behind: 0,
          };
          for (const part of removed) {
            rows.splice(Math.floor(part * rows.length), 1);
          }
          if (cleared !== undefined) {
            rows.splice(Math.floor(cleared.from * rows.length), cleared.count);
          }
          for (const part of added) {
            rows.splice(Math.floor(part * rows.length), 0, create());
          }
          rows.push(...Array.from({ length: more }, create));
          const now = new Set(idsOf(rows.slice(offset)));
          owed = owed.filter((id) => now.has(id));
          for (const id of now) {
            behind.add(id);
          }
          return slice(rows, page);
        });
        const { signal } = new AbortController();
        const seen: string[] = [];
        for await (const step of walk('leads.list', read, { ...DEFAULTS, limit, offset, ahead, signal })) {
          seen.push(...idsOf(step.rows));
        }
        expect(new Set(seen).size).toBe(seen.length);
        expect(owed.filter((id) => !seen.includes(id))).toEqual([]);
        expect(seen.filter((id) => !behind.has(id))).toEqual([]);
      },
    ),
    { numRuns: 1_000 },
  );
});
