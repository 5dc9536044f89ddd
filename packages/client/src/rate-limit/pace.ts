import { createSlidingWindow } from '@confab/internal';

/** Counts the requests of a sliding window. */
export interface Pace {
  /** Counts a request that ended at `now`. */
  record(now: number): void;
  /**
   * Returns when the window will contain fewer than `allowed` ended requests: `now` or later. Undefined when that
   * depends on the end of a request in flight.
   */
  freeAt(allowed: number, now: number): number | undefined;
}

/**
 * Creates a pace. A request counts from its start until `perMs` milliseconds after its end. The service counts it at
 * some moment in between, so no window of the service contains more requests than our own.
 *
 * @param perMs Length of the window in milliseconds; undefined to count nothing.
 */
export const createPace = (perMs: number | undefined): Pace => {
  if (perMs === undefined) {
    return { record: () => {}, freeAt: (_, now) => now };
  }
  const ends = createSlidingWindow(perMs);
  return {
    record(now) {
      // Also drops old ones: nothing else does while no limit is known.
      ends.count(now);
      ends.add(now);
    },
    freeAt(allowed, now) {
      const excess = ends.count(now) - allowed;
      if (excess < 0) {
        return now;
      }
      const last = allowed > 0 ? ends.at(excess) : undefined;
      return last === undefined ? undefined : last + perMs;
    },
  };
};
