import { onAbort, rejectOnAbort } from '@confab/internal';
import type { Clock } from './clock.ts';
import { startTimer } from './clock.ts';

/** Limits how long a call or an attempt may run. */
export interface Lifetime {
  /** Aborted when the time is up or the outer lifetime or signal is aborted. */
  readonly signal: AbortSignal;
  /** Returns the milliseconds left; Infinity without a limit. */
  left(): number;
  /** Returns true for the reason that the signal is aborted with when the time is up. */
  isTimeout(reason: unknown): boolean;
  /** Starts a lifetime that ends after `ms` milliseconds or with this one. */
  startInner(ms: number): Lifetime;
  /**
   * Settles as the promise does, or rejects with the signal's reason as soon as the signal is aborted.
   *
   * @throws The signal's reason once it is aborted.
   */
  race<T>(promise: Promise<T>): Promise<T>;
  /** Removes the listener and the timer. */
  end(): void;
}

/** What ends a lifetime early. */
interface Outer {
  readonly signal: AbortSignal;
  /** Returns a function that removes the callback. */
  readonly onAbort: (callback: () => void) => () => void;
}

const start = (clock: Clock, ms: number, outer: Outer | undefined): Lifetime => {
  const controller = new AbortController();
  const { signal } = controller;
  // Plain callbacks, because each listener of a signal takes as long as a good part of the rest of a call.
  const callbacks = new Set<() => void>();
  let timeout: DOMException | undefined;

  const abort = (reason: unknown) => {
    controller.abort(reason);
    for (const callback of callbacks) {
      callback();
    }
  };
  const addCallback = (callback: () => void) => {
    callbacks.add(callback);
    return () => void callbacks.delete(callback);
  };

  const stopListening = outer?.onAbort(() => abort(outer.signal.reason));
  const timer =
    ms === Number.POSITIVE_INFINITY
      ? undefined
      : startTimer(clock, ms, () => {
          timeout = new DOMException('The time is up', 'TimeoutError');
          abort(timeout);
        });
  const startedAt = clock.now();

  return {
    signal,
    left: () => ms - (clock.now() - startedAt),
    isTimeout: (reason) => timeout !== undefined && reason === timeout,
    startInner(innerMs) {
      signal.throwIfAborted();
      return start(clock, innerMs, { signal, onAbort: addCallback });
    },
    race: (promise) => rejectOnAbort(promise, signal, addCallback),
    end() {
      timer?.stop();
      stopListening?.();
    },
  };
};

/**
 * Starts a lifetime that ends after `ms` milliseconds or when the signal is aborted.
 *
 * @param ms Infinity for no limit.
 * @throws The signal's reason when it is already aborted.
 */
export const startLifetime = (clock: Clock, ms: number, signal: AbortSignal | undefined): Lifetime => {
  signal?.throwIfAborted();
  return start(clock, ms, signal && { signal, onAbort: (callback) => onAbort(signal, callback) });
};
