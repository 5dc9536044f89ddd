import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PageRange, RawPage, Walk } from '../src/lists/walk.ts';
import { advance, rangeOf, rangesAhead, startWalk } from '../src/lists/walk.ts';

interface Row {
  readonly id: string;
}

/** Returns a page of a list that stands still, as the service does. */
const readFrom = (size: number, { offset, limit }: PageRange): RawPage<Row> => {
  const requested = limit ?? 25;
  const end = Math.min(size, offset + requested);
  const rows = Array.from({ length: Math.max(0, end - offset) }, (_, index) => ({ id: `${offset + index}` }));
  return { rows, total: size, meta: { total: size, limit: requested, offset }, requestedLimit: limit };
};

const lists = fc.record({
  size: fc.nat(400),
  limit: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
  offset: fc.nat(30),
  max: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.nat(300)),
  fullPages: fc.boolean(),
});

test('an unchanging list is read once, with exactly the expected requests', () => {
  fc.assert(
    fc.property(lists, ({ size, ...options }) => {
      const known = new Set<string>();
      let walk: Walk = startWalk(options);
      const asked: PageRange[] = [];
      let expected: readonly PageRange[] | undefined;
      while (!walk.ended && asked.length < 500) {
        const range = rangeOf(walk);
        asked.push(range);
        const { walk: moved, rows = [] } = advance(walk, readFrom(size, range), known);
        rows.forEach(({ id }) => void known.add(id));
        walk = moved;
        expected ??= walk.ended ? [] : rangesAhead(walk, 500);
      }
      const wanted = Math.min(options.max, Math.max(0, size - options.offset));
      expect([...known]).toEqual(Array.from({ length: wanted }, (_, index) => `${options.offset + index}`));
      expect(asked.slice(1)).toEqual(expected ?? []);
    }),
    { numRuns: 500 },
  );
});

test('a step is pure: it changes neither the walk nor the known ids, and repeating it gives the same result', () => {
  const id = fc.nat(40).map(String);
  const pages = fc.array(
    fc.record({ rows: fc.array(fc.record({ id }), { maxLength: 12 }), total: fc.option(fc.nat(50)) }),
    { minLength: 1, maxLength: 12 },
  );
  fc.assert(
    fc.property(lists, pages, ({ size: _, ...options }, all) => {
      const known = new Set<string>();
      let walk = startWalk(options);
      for (const { rows, total } of all) {
        const { offset, limit } = rangeOf(walk);
        const meta = { total: total ?? rows.length, limit: limit ?? 25, offset };
        const page = { rows, total: total ?? undefined, meta, requestedLimit: limit };
        const ids = [...known];
        const first = advance(Object.freeze(walk), page, known);
        expect(advance(walk, page, known)).toEqual(first);
        expect([...known]).toEqual(ids);
        const fresh = first.rows?.map((row) => row.id) ?? [];
        expect(new Set([...ids, ...fresh]).size).toBe(ids.length + fresh.length);
        expect(first.walk.returned).toBe(ids.length + fresh.length);
        expect(first.walk.next).toBeGreaterThanOrEqual(options.offset);
        fresh.forEach((each) => void known.add(each));
        walk = first.walk;
      }
    }),
    { numRuns: 500 },
  );
});
