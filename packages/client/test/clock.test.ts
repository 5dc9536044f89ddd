import { afterEach, expect, test, vi } from 'vitest';
import { systemClock } from '../src/time/clock.ts';

afterEach(() => void vi.restoreAllMocks());

/** Timers that fire at once, and tell for how long each would have run. */
const hurry = () => {
  const delays: (number | undefined)[] = [];
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((callback: () => void, delay?: number) => {
    delays.push(delay);
    queueMicrotask(callback);
    return 0;
  }) as typeof setTimeout);
  return delays;
};

const MOST = 2 ** 31 - 1;

test.each([
  [0, []],
  [250, [250]],
  [MOST, [MOST]],
  [MOST + 1, [MOST, 1]],
  [3 * MOST, [MOST, MOST, MOST]],
])('a wait of %d ms uses timers within the limit of every runtime', async (ms, expected) => {
  const delays = hurry();
  await systemClock.sleep(ms);
  expect(delays).toEqual(expected);
});
