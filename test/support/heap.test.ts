import { expect, test } from 'vitest';
import { Heap } from './heap.ts';

test('a heap returns the lowest key first, and equal keys in the order in which they came', () => {
  const heap = new Heap<number>();
  const keys = Array.from({ length: 500 }, (_, index) => (index * 7_919) % 101);
  for (const [index, key] of keys.entries()) {
    heap.add(key, index);
  }
  const expected = [...keys.entries()].toSorted(([a, one], [b, other]) => one - other || a - b);
  expect(heap.lowest).toBe(0);
  expect(keys.map(() => heap.take())).toEqual(expected.map(([index]) => index));
  expect(heap.take()).toBeUndefined();
});
