import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { leavable } from '../src/lists/leavable.ts';

const setUp = (outer = new AbortController()) => {
  let signal: AbortSignal | undefined;
  const make = (inner: AbortSignal) => {
    signal = inner;
    return (async function* () {
      for (const number of [1, 2]) {
        inner.throwIfAborted();
        yield number;
      }
    })();
  };
  const listeners = () => getEventListeners(outer.signal, 'abort').length;
  return { outer, iterator: leavable(make, outer.signal), inner: () => signal as AbortSignal, listeners };
};

test('it listens to the signal once, from the first step to the end', async () => {
  const { iterator, inner, listeners } = setUp();
  expect(listeners()).toBe(0);
  const seen: number[] = [];
  for await (const number of iterator) {
    expect(listeners()).toBe(1);
    expect(inner().aborted).toBe(false);
    seen.push(number);
  }
  expect(seen).toEqual([1, 2]);
  expect(listeners()).toBe(0);
  // What the generator may have started is not needed any more.
  expect(inner().aborted).toBe(true);
});

test('a loop that was left does not begin again', async () => {
  const { iterator, listeners } = setUp();
  await iterator.return();
  expect(await iterator.next()).toEqual({ done: true, value: undefined });
  expect(listeners()).toBe(0);
});

test('an abort ends the loop with its reason, and stops listening', async () => {
  const { outer, iterator, inner, listeners } = setUp();
  await iterator.next();
  const reason = new Error('enough');
  outer.abort(reason);
  expect(inner().reason).toBe(reason);
  await expect(iterator.next()).rejects.toBe(reason);
  expect(listeners()).toBe(0);
});

test('a signal that is aborted already ends the loop at its first step', async () => {
  const outer = new AbortController();
  const reason = new Error('too late');
  outer.abort(reason);
  const { iterator, listeners } = setUp(outer);
  await expect(iterator.next()).rejects.toBe(reason);
  expect(listeners()).toBe(0);
});

test('a loop without a signal ends by itself', async () => {
  const numbers = leavable(async function* () {
    yield 1;
  }, undefined);
  expect(await Array.fromAsync(numbers)).toEqual([1]);
});
