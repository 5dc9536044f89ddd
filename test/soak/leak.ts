import type { Leak } from './options.ts';

/** Requests between two handles that are left open. */
const REQUESTS_PER_HANDLE = 500;

/** Numbers that are kept of each request: four kilobytes. */
const KEPT = 500;

/** An hour: the timer outlives the run. */
const LONG = 3_600_000;

/**
 * Leaks on purpose with each request, to show that the check notices: an array that keeps something of it forever, or
 * a timer now and then. For the leak of worlds, the load abandons them, and the server keeps them.
 */
export const leakInto = (leak: Leak | undefined): (() => void) => {
  const kept: number[][] = [];
  let requests = 0;
  return () => {
    requests += 1;
    if (leak === 'memory') {
      kept.push(Array.from({ length: KEPT }, () => Math.random()));
    }
    if (leak === 'handles' && requests % REQUESTS_PER_HANDLE === 0) {
      setTimeout(() => {}, LONG);
    }
  };
};
