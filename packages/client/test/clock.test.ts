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

test('an aborted wait rejects with the reason of its signal, and leaves nothing behind', async () => {
  const clear = vi.spyOn(globalThis, 'clearTimeout');
  const controller = new AbortController();
  const waiting = systemClock.sleep(1_000_000, controller.signal);
  controller.abort('enough');
  await expect(waiting).rejects.toBe('enough');
  expect(clear).toHaveBeenCalledTimes(1);
  await expect(systemClock.sleep(1, controller.signal)).rejects.toBe('enough');
});
