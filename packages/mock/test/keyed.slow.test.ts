import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Keyed } from '../src/world/store/keyed.ts';

interface Item {
  readonly key: string;
  readonly label: string;
}

const keyOf = ({ key }: Item) => key;

/** The keys of each line have the same hash, which a search through six million numbers found. */
const SAME_HASH = [
  ['k6593', 'k4085659', 'k4731683'],
  ['k416125', 'k832018', 'k3234038'],
  ['k6264', 'k101140'],
];

/** Many keys, so that there are several levels; few enough that they meet. */
const key = fc.oneof(
  fc.integer({ min: 0, max: 3_000 }).map((nth) => `key ${nth}`),
  fc.constantFrom(...SAME_HASH.flat()),
  fc.constantFrom('', 'constructor', '__proto__', 'é', '\u{1f600}', '\ud800'),
);
const item = fc.record({ key, label: fc.string({ maxLength: 3 }) });
const start = fc.array(item, { maxLength: 3_000, size: 'max' });
const steps = fc.array(fc.record({ add: fc.boolean(), item }), { maxLength: 400 });

/** Expects the same items as in a `Map`, and none under other keys. */
const expectItems = (keyed: Keyed<Item>, expected: ReadonlyMap<string, Item>): void => {
  for (const each of [...expected.keys(), ...SAME_HASH.flat(), 'key -1']) {
    expect(keyed.get(each)).toBe(expected.get(each));
  }
};

test('any sequence of additions and removals gives the same items as a Map, and changes nothing that was there before', () => {
  fc.assert(
    fc.property(start, steps, (items, changes) => {
      const kept = Keyed.by(keyOf, items);
      const before = new Map(items.map((each) => [each.key, each]));
      const expected = new Map(before);
      let keyed = kept;
      for (const { add, item: changed } of changes) {
        keyed = add ? keyed.with(changed) : keyed.without(changed);
        if (add) {
          expected.set(changed.key, changed);
        } else {
          expected.delete(changed.key);
        }
      }
      expectItems(keyed, expected);
      expectItems(kept, before);
    }),
    { numRuns: 60 },
  );
});

test.each(SAME_HASH)('keys with the same hash are kept apart: %s, %s', (...keys) => {
  const items = keys.filter((each) => each !== undefined).map((each) => ({ key: each, label: '' }));
  let keyed = Keyed.by(keyOf, items);
  expectItems(keyed, new Map(items.map((each) => [each.key, each])));
  for (const each of items) {
    keyed = keyed.without(each);
    expect(keyed.get(each.key)).toBe(undefined);
  }
});

test('removing every item, in any order, leaves an empty one that can be filled again', () => {
  const all = [...Array.from({ length: 700 }, (_, nth) => `key ${nth}`), ...SAME_HASH.flat()];
  fc.assert(
    fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (order) => {
      const items = order.map((each) => ({ key: each, label: '' }));
      let keyed = Keyed.by(keyOf, items);
      for (const each of items) {
        keyed = keyed.without(each);
      }
      expectItems(keyed, new Map());
      const again = { key: 'key 1', label: 'again' };
      expectItems(keyed.with(again), new Map([['key 1', again]]));
    }),
    { numRuns: 10 },
  );
});

test('removing a missing item returns the same one', () => {
  const keyed = Keyed.by(keyOf, [{ key: 'a', label: '' }]);
  expect(keyed.without({ key: 'b', label: '' })).toBe(keyed);
});

test('finding, adding and removing look at few of many items', () => {
  let looked = 0;
  const keyed = Keyed.by(
    (each: Item) => {
      looked += 1;
      return each.key;
    },
    Array.from({ length: 100_000 }, (_, nth) => ({ key: `key ${nth}`, label: '' })),
  );
  const work = (act: () => unknown): number => {
    looked = 0;
    act();
    return looked;
  };
  for (const nth of [0, 33_333, 99_999]) {
    const each = { key: `key ${nth}`, label: '' };
    expect(work(() => keyed.get(each.key))).toBe(1);
    expect(work(() => keyed.get(`no ${nth}`))).toBeLessThan(2);
    expect(work(() => keyed.with(each))).toBeLessThan(4);
    expect(work(() => keyed.with({ ...each, key: `no ${nth}` }))).toBeLessThan(4);
    expect(work(() => keyed.without(each))).toBeLessThan(4);
  }
});
