/** The times of recent events, oldest first. */
export interface SlidingWindow {
  /** Drops the times that have left the window, and returns how many remain. */
  count(now: number): number;
  /** Adds a time, which must not be earlier than the latest one. */
  add(time: number): void;
  /** Returns the time at an index, counted from the oldest one that remains. */
  at(index: number): number | undefined;
  /** Returns a copy of the times that remain. */
  times(): number[];
}

/**
 * Creates a window over the last `perMs` milliseconds. A time leaves it exactly `perMs` milliseconds later.
 *
 * @param initial Times to start with, oldest first.
 * @example
 * ```ts
 * const window = createSlidingWindow(60_000);
 * if (window.count(Date.now()) < 600) window.add(Date.now());
 * ```
 */
export const createSlidingWindow = (perMs: number, initial: readonly number[] = []): SlidingWindow => {
  let times = [...initial];
  /** Index of the oldest time that remains. Older ones are cut off in bulk, because `shift` would move all others. */
  let first = 0;

  return {
    count(now) {
      while ((times[first] ?? Number.POSITIVE_INFINITY) + perMs <= now) {
        first += 1;
      }
      if (first > 1_024 && first * 2 > times.length) {
        times = times.slice(first);
        first = 0;
      }
      return times.length - first;
    },
    add(time) {
      times.push(time);
    },
    at: (index) => times[first + index],
    times: () => times.slice(first),
  };
};
