import type { Clock } from './clock.ts';
import { startTimer } from './clock.ts';
import { onAbort } from './on-abort.ts';

/** How long a call may live: until its deadline, or until the caller aborts it. */
export interface Lifetime {
  /** Aborted when the call must end. */
  readonly signal: AbortSignal;
  /** Milliseconds until the deadline; Infinity for none. */
  left(): number;
  /** True when what a wait rejected with came from the deadline. */
  isDeadline(reason: unknown): boolean;
  /** Leaves no listener and no timer behind. */
  end(): void;
}

/**
 * Starts the life of a call. Calls that share the caller's signal share one listener on it.
 *
 * @throws The signal's reason when it is already aborted.
 */
export const startLifetime = (clock: Clock, deadline: number, outer: AbortSignal | undefined): Lifetime => {
  if (outer?.aborted) {
    throw outer.reason;
  }
  const controller = new AbortController();
  let passed: DOMException | undefined;
  const leave = outer && onAbort(outer, () => controller.abort(outer.reason));
  const timer =
    deadline === Number.POSITIVE_INFINITY
      ? undefined
      : startTimer(clock, deadline, () => {
          passed = new DOMException('The deadline of the call has passed', 'TimeoutError');
          controller.abort(passed);
        });
  const startedAt = clock.now();

  return {
    signal: controller.signal,
    left: () => deadline - (clock.now() - startedAt),
    isDeadline: (reason) => passed !== undefined && reason === passed,
    end() {
      timer?.stop();
      leave?.();
    },
  };
};

/** Settles as the promise does, or rejects with the signal's reason as soon as it is aborted. */
export const orAborted = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) {
      abort();
    }
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
