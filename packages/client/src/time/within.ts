import type { Clock } from './clock.ts';

/** Milliseconds that a function of the user's may take before a request. */
export const LONGEST_LOOKUP = 30_000;

/**
 * Waits for work, but no longer than the given milliseconds: then it rejects with the error that `late` returns. The work
 * goes on.
 *
 * @param done Abort it to stop the timer once nothing waits any more.
 */
export const within = async <T>(
  clock: Clock,
  ms: number,
  work: Promise<T>,
  late: () => Error,
  done = new AbortController(),
): Promise<T> => {
  const timeout = clock.sleep(ms, done.signal, 'timeout').then(
    () => {
      throw late();
    },
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([work, timeout]);
  } finally {
    done.abort();
  }
};
