import { onAbort, rejectOnAbort } from '@confab/internal';

/**
 * Returns a value, or rejects once the signal is aborted. A value that is no promise is returned at once, because an
 * `await` for each would cost more than most of a request's steps.
 *
 * @throws The signal's reason once it is aborted.
 */
export const unlessAborted = <T>(value: T | Promise<T>, signal: AbortSignal | undefined): T | Promise<T> => {
  if (value instanceof Promise) {
    return signal === undefined ? value : rejectOnAbort(value, signal);
  }
  signal?.throwIfAborted();
  return value;
};

/**
 * A controller that is aborted together with any of the signals, until `release` is called. `AbortSignal.any()` would keep
 * each of its signals in memory for as long as the longest-lived one.
 */
export const linkedTo = (
  ...signals: readonly (AbortSignal | undefined)[]
): { readonly controller: AbortController; readonly release: () => void } => {
  const controller = new AbortController();
  const stops = signals.flatMap((signal) => {
    if (signal === undefined) {
      return [];
    }
    const abort = () => controller.abort(signal.reason);
    if (signal.aborted) {
      abort();
    }
    return [onAbort(signal, abort)];
  });
  return {
    controller,
    release: () => {
      for (const stop of stops) {
        stop();
      }
    },
  };
};
