import { onAbort } from '@confab/internal';
import type { Clock } from './clock.ts';
import { createAbortError, MAX_TIMER, systemClock } from './clock.ts';

/** Milliseconds that a function of the user's may take before a request. */
export const MAX_LOOKUP = 30_000;

/**
 * Waits for work, but no longer than the given milliseconds: then it rejects with the error that `late` returns. The work
 * goes on.
 */
export const within = async <T>(
  clock: Clock,
  ms: number,
  work: Promise<T>,
  late: () => Error,
): Promise<T> => {
  const done = new AbortController();
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

/** Limits how long a call or an attempt may take. */
export interface TimeLimit {
  /** Aborted when the time is up, or when the outer signal is. */
  readonly signal: AbortSignal;
  /** Returns true for the reason that the signal is aborted with when the time is up. */
  isTimeout(reason: unknown): boolean;
  /** Removes the listener and the timer. */
  end(): void;
}

/** Shared: creating an error and its stack for each limit would cost more than the limit. */
const ENDED = createAbortError('The timer was stopped');

/**
 * Starts a limit of `ms` milliseconds.
 *
 * @param ms Infinity for no limit. No system timer is longer than 24 days, so a longer limit is none either.
 * @throws The signal's reason when it is already aborted.
 */
export const startTimeLimit = (clock: Clock, ms: number, outer: AbortSignal | undefined): TimeLimit => {
  outer?.throwIfAborted();
  const controller = new AbortController();
  let timeout: DOMException | undefined;
  const expire = () => {
    timeout = new DOMException('The time is up', 'TimeoutError');
    controller.abort(timeout);
  };
  const stopListening = outer && onAbort(outer, () => controller.abort(outer.reason));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sleep: AbortController | undefined;
  if (clock === systemClock) {
    // Every call starts two limits: a sleep and its signal would take longer than a timer.
    timer = ms > MAX_TIMER ? undefined : setTimeout(expire, ms);
  } else if (ms !== Number.POSITIVE_INFINITY) {
    sleep = new AbortController();
    clock.sleep(ms, sleep.signal, 'timeout').then(expire, () => {});
  }
  return {
    signal: controller.signal,
    isTimeout: (reason) => timeout !== undefined && reason === timeout,
    end() {
      stopListening?.();
      clearTimeout(timer);
      sleep?.abort(ENDED);
    },
  };
};
