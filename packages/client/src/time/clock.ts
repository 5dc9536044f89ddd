import { abortReason } from './abort-reason.ts';

/**
 * Where the client reads the time and waits. Every wait of the client goes through it, so that a test can
 * put in a clock that it controls.
 */
export interface Clock {
  /** Milliseconds since 1970; fractions make the pace more exact. */
  now(): number;
  /**
   * Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it is aborted.
   *
   * @param purpose `wait` is a delay that somebody sits out. `timeout` is a bound on something else, aborted
   * when that something ends: a virtual clock need not move time forward for it.
   */
  sleep(ms: number, signal?: AbortSignal, purpose?: 'wait' | 'timeout'): Promise<void>;
}

/** `setTimeout` fires at once when it is given more than this. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The system's time. */
export const systemClock: Clock = {
  // Not `Date.now()`: it steps when the system's time is set, and rounds down, so that a window of the service's could
  // seem to end a millisecond early.
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      let left = ms;
      let timer: ReturnType<typeof setTimeout>;
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const step = () => {
        if (left <= 0) {
          signal?.removeEventListener('abort', abort);
          resolve();
          return;
        }
        const next = Math.min(left, LONGEST_TIMER);
        left -= next;
        timer = setTimeout(step, next);
      };
      if (signal?.aborted) {
        return reject(signal.reason);
      }
      signal?.addEventListener('abort', abort, { once: true });
      step();
    }),
};

/** One reason for all: making an error with its stack for each timer that did not fire would cost more than the timer. */
const NOT_NEEDED = abortReason('The timer is not needed any more');

/** Calls back after `ms` unless stopped before. */
export const startTimer = (clock: Clock, ms: number, callback: () => void): { stop: () => void } => {
  const controller = new AbortController();
  clock.sleep(ms, controller.signal, 'timeout').then(callback, () => {});
  return { stop: () => controller.abort(NOT_NEEDED) };
};
