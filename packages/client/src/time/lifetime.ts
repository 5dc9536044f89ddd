import { onAbort } from '@confab/internal';
import type { Clock } from './clock.ts';
import { startTimer } from './clock.ts';

/** Limits how long a call or an attempt may run. */
export interface Lifetime {
  /** Aborted when the time is up or the outer signal is aborted. */
  readonly signal: AbortSignal;
  /** Returns the milliseconds left; Infinity without a limit. */
  left(): number;
  /** Returns true for the reason that the signal is aborted with when the time is up. */
  isTimeout(reason: unknown): boolean;
  /** Removes the listener and the timer. */
  end(): void;
}

/**
 * Starts a lifetime that ends after `ms` milliseconds or when the outer signal is aborted.
 *
 * @param ms Infinity for no limit.
 * @throws The signal's reason when `outer` is already aborted.
 */
export const startLifetime = (clock: Clock, ms: number, outer: AbortSignal | undefined): Lifetime => {
  outer?.throwIfAborted();
  const controller = new AbortController();
  let timeout: DOMException | undefined;
  const stopListening = outer && onAbort(outer, () => controller.abort(outer.reason));
  const timer =
    ms === Number.POSITIVE_INFINITY
      ? undefined
      : startTimer(clock, ms, () => {
          timeout = new DOMException('The time is up', 'TimeoutError');
          controller.abort(timeout);
        });
  const startedAt = clock.now();

  return {
    signal: controller.signal,
    left: () => ms - (clock.now() - startedAt),
    isTimeout: (reason) => timeout !== undefined && reason === timeout,
    end() {
      timer?.stop();
      stopListening?.();
    },
  };
};
