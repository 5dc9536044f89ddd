import { onAbort } from '@confab/internal';
import type { Clock } from './clock.ts';
import { MAX_TIMER, systemClock, TIMER_STOPPED } from './clock.ts';

/** Milliseconds that a user's function may take before a request. */
export const MAX_LOOKUP = 30_000;

/**
 * Limits how long a call or an attempt may take. Each call has two limits, and they have callbacks of their own, because
 * listeners of their signals would take a third of the time of a call.
 */
export interface TimeLimit {
  /** Aborted when the time is up, or when the outer signal is. */
  readonly signal: AbortSignal;
  /**
   * Calls back when the signal is aborted, at once if it has been.
   *
   * @returns A function that removes the callback.
   */
  onStop(callback: () => void): () => void;
  /** Settles as the promise does, or rejects with the signal's reason as soon as the signal is aborted. */
  race<T>(work: Promise<T>): Promise<T>;
  /** Returns true for the reason that the signal is aborted with when the time is up. */
  isTimeout(reason: unknown): boolean;
  /** Removes the timer and the listener of the outer signal. */
  end(): void;
}

/**
 * Starts a limit of `ms` milliseconds.
 *
 * @param ms Infinity for no limit. No system timer is longer than 24.8 days, so longer limits are ignored.
 * @param onOuterStop Calls back when the outer signal is aborted, and returns a function that removes the callback.
 * @throws The signal's reason when it is already aborted.
 */
export const startTimeLimit = (
  clock: Clock,
  ms: number,
  outer: AbortSignal | undefined,
  onOuterStop: TimeLimit['onStop'] | undefined = outer && ((callback) => onAbort(outer, callback)),
): TimeLimit => {
  outer?.throwIfAborted();
  const controller = new AbortController();
  const { signal } = controller;
  const callbacks = new Set<() => void>();
  const stop = (reason: unknown) => {
    controller.abort(reason);
    for (const callback of callbacks) {
      callback();
    }
  };
  const onStop: TimeLimit['onStop'] = (callback) => {
    if (signal.aborted) {
      callback();
    }
    callbacks.add(callback);
    return () => callbacks.delete(callback);
  };
  let timeout: DOMException | undefined;
  const expire = () => {
    timeout = new DOMException('The time is up', 'TimeoutError');
    stop(timeout);
  };
  const stopListening = onOuterStop?.(() => stop(outer?.reason));
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
    signal,
    onStop,
    race: (work) =>
      new Promise((resolve, reject) => {
        work.then(resolve, reject);
        onStop(() => reject(signal.reason));
      }),
    isTimeout: (reason) => timeout !== undefined && reason === timeout,
    end() {
      stopListening?.();
      clearTimeout(timer);
      sleep?.abort(TIMER_STOPPED);
    },
  };
};

/**
 * Waits for work for at most `ms` milliseconds, and then rejects with the error that `late` returns. An abort ends the wait
 * at once. The work continues in either case.
 */
export const within = async <T>(
  clock: Clock,
  ms: number,
  work: Promise<T>,
  late: () => Error,
  signal?: AbortSignal,
): Promise<T> => {
  const limit = startTimeLimit(clock, ms, signal);
  try {
    return await limit.race(work);
  } catch (error) {
    throw limit.isTimeout(error) ? late() : error;
  } finally {
    limit.end();
  }
};
