import { rejectOnAbort } from '@confab/internal';

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
