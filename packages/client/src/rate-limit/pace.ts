/** Keeps count of the requests of a sliding window. */
export interface Pace {
  /** A request ended at `now`. */
  record(now: number): void;
  /**
   * When fewer than `allowed` ended requests are inside the window: `now` or later; undefined when only the end
   * of a request in flight can tell.
   */
  freeAt(allowed: number, now: number): number | undefined;
}

/**
 * A request counts from its start to `perMs` after its end: the service saw it at some moment between the two,
 * so that no window of the service's can hold more than ours, whatever the network did.
 *
 * @param perMs Length of the window in milliseconds; undefined keeps no count.
 */
export const createPace = (perMs: number | undefined): Pace => {
  let ends: number[] = [];
  /** Those before it have left the window; they are cut off in bulk, since `shift` would move the rest each time. */
  let first = 0;

  const forget = (now: number, span: number) => {
    while (first < ends.length && (ends[first] ?? now) + span <= now) {
      first += 1;
    }
    if (first > 1_024 && first * 2 > ends.length) {
      ends = ends.slice(first);
      first = 0;
    }
  };

  return {
    record(now) {
      if (perMs === undefined) {
        return;
      }
      forget(now, perMs);
      ends.push(now);
    },
    freeAt(allowed, now) {
      if (perMs === undefined) {
        return now;
      }
      forget(now, perMs);
      const excess = ends.length - first - allowed;
      if (excess < 0) {
        return now;
      }
      const last = allowed > 0 ? ends[first + excess] : undefined;
      return last === undefined ? undefined : last + perMs;
    },
  };
};
