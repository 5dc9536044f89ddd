import { expect, test } from 'vitest';
import { createFifo } from '../src/rate-limit/fifo.ts';

const item = (name: number) => ({ name });

test('items leave in the order in which they came, from any place', () => {
  const fifo = createFifo<{ name: number }>();
  expect([fifo.size, fifo.first(), fifo.all()]).toEqual([0, undefined, []]);
  const [a, b, c] = [item(1), item(2), item(3)];
  const [removeA, removeB] = [fifo.add(a), fifo.add(b)];
  fifo.add(c);
  expect([fifo.size, fifo.first(), fifo.all()]).toEqual([3, a, [a, b, c]]);
  removeB();
  expect([fifo.size, fifo.first(), fifo.all()]).toEqual([2, a, [a, c]]);
  removeA();
  expect([fifo.size, fifo.first(), fifo.all()]).toEqual([1, c, [c]]);
});

test('an item that is removed twice leaves once', () => {
  const fifo = createFifo<{ name: number }>();
  const remove = fifo.add(item(1));
  fifo.add(item(2));
  remove();
  remove();
  expect(fifo.size).toBe(1);
});

test('thousands of items leave in order, and each of the others can still be removed', () => {
  const fifo = createFifo<{ name: number }>();
  const items = Array.from({ length: 5_000 }, (_, name) => item(name));
  const removals = items.map((each) => fifo.add(each));
  for (let at = 0; at < 4_000; at += 1) {
    expect(fifo.first()).toBe(items[at]);
    removals[at]?.();
    // One that has left does not take another with it.
    removals[at]?.();
  }
  removals[4_500]?.();
  const late = item(9_999);
  const removeLate = fifo.add(late);
  const rest = [...items.slice(4_000, 4_500), ...items.slice(4_501)];
  expect([fifo.size, fifo.all()]).toEqual([1_000, [...rest, late]]);
  removeLate();
  expect([fifo.size, fifo.first(), fifo.all()]).toEqual([999, items[4_000], rest]);
});
