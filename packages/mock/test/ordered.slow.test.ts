import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Ordered } from '../src/world/store/ordered.ts';

interface Item {
  readonly key: number;
  readonly label: string;
}

const byKey = (a: Item, b: Item) => a.key - b.key;

/** Many keys, so that the tree gets several levels; few enough that they meet. */
const key = fc.integer({ min: 0, max: 5_000 });
const item = fc.record({ key, label: fc.string({ maxLength: 3 }) });
const steps = fc.array(fc.record({ add: fc.boolean(), item }), { maxLength: 400 });

/** The same thing, done naively. */
const naive = (items: readonly Item[]): Item[] =>
  [...new Map(items.map((each) => [each.key, each])).values()].sort(byKey);

const apply = (
  start: readonly Item[],
  changes: readonly { add: boolean; item: Item }[],
): { ordered: Ordered<Item>; expected: Item[] } => {
  let ordered = Ordered.by(byKey, start);
  let expected = naive(start);
  for (const { add, item: changed } of changes) {
    ordered = add ? ordered.with(changed) : ordered.without(changed);
    expected = expected.filter((other) => other.key !== changed.key);
    if (add) {
      expected = naive([...expected, changed]);
    }
  }
  return { ordered, expected };
};

const start = fc.array(item, { maxLength: 9_000, size: 'max' });

test('any sequence of additions and removals gives the same items as a sorted array', () => {
  fc.assert(
    fc.property(start, steps, (items, changes) => {
      const { ordered, expected } = apply(items, changes);
      expect([...ordered]).toEqual(expected);
      expect(ordered.size).toBe(expected.length);
    }),
    { numRuns: 60 },
  );
});

test('rank, at and slice agree with a sorted array at every point', () => {
  fc.assert(
    fc.property(start, steps, key, fc.nat(6_000), fc.nat(200), (items, changes, point, from, length) => {
      const { ordered, expected } = apply(items, changes);
      expect(ordered.rank((each) => each.key < point)).toBe(
        expected.filter((each) => each.key < point).length,
      );
      expect(ordered.at(from)).toEqual(expected[from]);
      expect(ordered.slice(from, from + length)).toEqual(expected.slice(from, from + length));
    }),
    { numRuns: 60 },
  );
});

test('a set does not change when others are derived from it', () => {
  fc.assert(
    fc.property(start, steps, (items, changes) => {
      const kept = Ordered.by(byKey, items);
      const before = [...kept];
      let changed = kept;
      for (const { add, item: each } of changes) {
        changed = add ? changed.with(each) : changed.without(each);
      }
      expect([...kept]).toEqual(before);
    }),
    { numRuns: 30 },
  );
});

test('removing every item, in any order, leaves an empty set that can be filled again', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray(
        Array.from({ length: 700 }, (_, at) => at),
        { minLength: 700 },
      ),
      (order) => {
        let ordered = Ordered.by(
          byKey,
          order.map((each) => ({ key: each, label: '' })),
        );
        for (const each of order) {
          ordered = ordered.without({ key: each, label: '' });
        }
        expect([ordered.size, [...ordered]]).toEqual([0, []]);
        expect([...ordered.with({ key: 1, label: 'x' })]).toEqual([{ key: 1, label: 'x' }]);
      },
    ),
    { numRuns: 10 },
  );
});

test('removing a missing item returns the same set', () => {
  const ordered = Ordered.by(byKey, [{ key: 1, label: '' }]);
  expect(ordered.without({ key: 2, label: '' })).toBe(ordered);
});
