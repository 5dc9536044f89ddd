import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Equals } from '../../src/world/store/table.ts';
import { placeLast, placeOf, Table } from '../../src/world/store/table.ts';

interface Row {
  readonly id: string;
  readonly createdAt: string;
  readonly status: string;
  readonly source: string | null;
  readonly phone: string | null;
}

const OPTIONS = { newestBy: 'createdAt', filters: ['status', 'source'], unique: 'phone' } as const;

const row = fc.record({
  id: fc.constantFrom(...'abcdefgh'),
  createdAt: fc.constantFrom('2026-01-01', '2026-01-02', '2026-01-03'),
  status: fc.constantFrom('new', 'lost'),
  source: fc.constantFrom('api', 'web', null),
});

/** A phone for each id, so that no two rows share one. */
const withPhone = (fields: Omit<Row, 'phone'>): Row => ({
  ...fields,
  phone: fields.id < 'c' ? null : `+${fields.id}`,
});

const naivePage = (rows: readonly Row[], equals: Equals): Row[] =>
  rows
    .filter((each) =>
      Object.entries(equals).every(
        ([name, value]) => value === undefined || Reflect.get(each, name) === value,
      ),
    )
    .sort((a, b) =>
      a.createdAt === b.createdAt ? placeOf(b) - placeOf(a) : a.createdAt < b.createdAt ? 1 : -1,
    );

test('after any changes, a table lists, counts and finds what an array would, and copies are independent', () => {
  const steps = fc.array(fc.record({ row, remove: fc.boolean(), copy: fc.boolean() }), { maxLength: 60 });
  const equals = fc.record({
    status: fc.constantFrom(undefined, 'new'),
    source: fc.constantFrom(undefined, 'web', null),
  });
  fc.assert(
    fc.property(steps, equals, fc.nat(9), fc.nat(9), (changes, given, offset, limit) => {
      let table = new Table<Row>(OPTIONS);
      let kept = table.copy();
      let rows: Row[] = [];
      let keptRows = rows;
      for (const change of changes) {
        if (change.copy) {
          [kept, keptRows] = [table, rows];
          table = table.copy();
        }
        const next = withPhone(change.row);
        rows = rows.filter(({ id }) => id !== next.id);
        if (change.remove) {
          table.remove(next.id);
        } else {
          placeLast(next);
          table.put(next);
          rows = [...rows, next];
        }
      }
      const listed = naivePage(rows, given);
      const page = { rows: listed.slice(offset, offset + limit), total: listed.length };
      expect(table.page(given, { offset, limit })).toEqual(page);
      const between = listed.filter(
        ({ createdAt }) => createdAt >= '2026-01-02' && createdAt <= '2026-01-03',
      );
      expect(table.countBetween(given, '2026-01-02', '2026-01-03')).toBe(between.length);
      for (const each of rows) {
        expect(table.get(each.id)).toBe(each);
        expect(each.phone === null || table.holding(each.phone) === each).toBe(true);
      }
      expect(table.bytes).toBe(rows.reduce((sum, each) => sum + bytesOf(each), 0));
      expect(kept.page({}).rows).toEqual(naivePage(keptRows, {}));
    }),
  );
});

const bytesOf = (one: Row): number => {
  const table = new Table<Row>(OPTIONS);
  table.put(one);
  return table.bytes;
};
