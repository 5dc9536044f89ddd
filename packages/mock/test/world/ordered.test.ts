import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Ordered } from '../../src/world/store/ordered.ts';

interface Item {
  readonly key: number;
  readonly label: string;
}

const byKey = (a: Item, b: Item) => a.key - b.key;

/** Many keys, so that there are many chunks; few enough that they meet. */
const key = fc.integer({ min: 0, max: 5_000 });
const item = fc.record({ key, label: fc.string({ maxLength: 3 }) });

/** The same thing, done naively. */
const naive = (items: readonly Item[]): Item[] =>
  [...new Map(items.map((each) => [each.key, each])).values()].sort(byKey);

test('any sequence of changes gives the same set as a sorted array, and changes no earlier set', () => {
  const steps = fc.array(fc.record({ add: fc.boolean(), item }), { maxLength: 400 });
  const start = fc.array(item, { maxLength: 9_000, size: 'max' });
  fc.assert(
    fc.property(start, steps, key, fc.nat(6_000), fc.nat(200), (items, changes, point, from, length) => {
      const before = Ordered.by(byKey, items);
      let ordered = before;
      let expected = naive(items);
      for (const { add, item: changed } of changes) {
        ordered = add ? ordered.with(changed) : ordered.without(changed);
        expected = naive([...expected.filter((each) => each.key !== changed.key), ...(add ? [changed] : [])]);
      }
      expect([ordered.slice(), ordered.size]).toEqual([expected, expected.length]);
      const isBefore = (each: Item) => each.key < point;
      expect(ordered.rank(isBefore)).toBe(expected.filter(isBefore).length);
      expect(ordered.firstAfter(isBefore)).toEqual(expected.find((each) => !isBefore(each)));
      expect(ordered.slice(from, from + length)).toEqual(expected.slice(from, from + length));
      expect(before.slice()).toEqual(naive(items));
    }),
    { numRuns: 40 },
  );
});

test('removing every item leaves an empty set that can be filled again, and removing a missing one the same set', () => {
  const keys = Array.from({ length: 1_500 }, (_, at) => (at * 7) % 1_500);
  let ordered = Ordered.by<number>((a, b) => a - b, keys);
  expect(ordered.without(5_000)).toBe(ordered);
  for (const each of keys) {
    ordered = ordered.without(each);
  }
  expect([ordered.size, ordered.slice(), ordered.firstAfter(() => false)]).toEqual([0, [], undefined]);
  expect(ordered.with(1).slice()).toEqual([1]);
});
