import type { Leak } from './options.ts';

/** Requests between two handles that are left open. */
const REQUESTS_PER_HANDLE = 500;

/** An hour: the timer outlives the run. */
const LONG = 3_600_000;

/**
 * Leaks on purpose with each request, to show that the check notices: an array that keeps the request's path and moment
 * forever, or a timer now and then. The leak of worlds is in the load.
 */
export const leakInto = (leak: Leak | undefined): (({ path }: { readonly path: string }) => void) => {
  const kept: { readonly path: string; readonly at: number }[] = [];
  let requests = 0;
  return ({ path }) => {
    requests += 1;
    if (leak === 'memory') {
      kept.push({ path, at: performance.now() });
    }
    if (leak === 'handles' && requests % REQUESTS_PER_HANDLE === 0) {
      setTimeout(() => {}, LONG);
    }
  };
};
