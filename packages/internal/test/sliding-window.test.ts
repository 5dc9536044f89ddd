import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSlidingWindow } from '../src/index.ts';

test('a sliding window counts the same events as a list of all times', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 4_000 }),
      fc.integer({ min: 1, max: 50 }),
      (steps, perMs) => {
        const window = createSlidingWindow(perMs);
        const all: number[] = [];
        let now = 0;
        for (const step of steps) {
          now += step;
          const left = all.filter((time) => time + perMs > now);
          if (window.count(now) !== left.length || window.at(0) !== left[0] || window.at(2) !== left[2]) {
            return false;
          }
          window.add(now);
          all.push(now);
        }
        return window.count(now) === window.times().length;
      },
    ),
  );
});

test('a sliding window starts with the times passed to it', () => {
  const window = createSlidingWindow(10, [1, 2, 30]);
  expect(window.count(12)).toBe(1);
  expect(window.times()).toEqual([30]);
  window.add(31);
  expect([window.at(0), window.at(1), window.at(2)]).toEqual([30, 31, undefined]);
});
