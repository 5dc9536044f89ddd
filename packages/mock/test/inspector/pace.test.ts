import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startPace } from '../../inspector/src/live/pace.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Starts a pace, and counts its loads, each of which takes a millisecond. */
const start = () => {
  const state = { loads: 0, visible: true };
  const pace = startPace({
    load: async () => {
      state.loads += 1;
      await new Promise((resolve) => {
        setTimeout(resolve, 1);
      });
    },
    isVisible: () => state.visible,
    signal: new AbortController().signal,
  });
  return { state, pace };
};

test('under load, a view of the inspector loads about twice a second, and the last change is never lost', async () => {
  const { state, pace } = start();
  for (let at = 0; at < 1_000; at += 1) {
    pace.changed();
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(state.loads).toBeLessThanOrEqual(21);
  expect(state.loads).toBeGreaterThan(15);
  await vi.advanceTimersByTimeAsync(2_000);
  const before = state.loads;
  pace.changed();
  // After a quiet period, a change loads at once.
  expect(state.loads).toBe(before + 1);
  pace.changed();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(state.loads).toBe(before + 2);
});

test('a hidden view of the inspector loads nothing until it is visible again', async () => {
  const { state, pace } = start();
  await vi.advanceTimersByTimeAsync(2_000);
  pace.resume();
  state.visible = false;
  pace.changed();
  pace.changed();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(state.loads).toBe(1);
  state.visible = true;
  pace.resume();
  expect(state.loads).toBe(2);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(state.loads).toBe(2);
});
