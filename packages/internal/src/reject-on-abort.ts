import { onAbort } from './on-abort.ts';

/**
 * Settles as the promise does, or rejects with the signal's reason as soon as the signal is aborted.
 *
 * @param listen Calls back when the signal is aborted, and returns a function that removes the callback.
 * @throws The signal's reason once it is aborted.
 * @example
 * ```ts
 * const response = await rejectOnAbort(fetch(url), signal);
 * ```
 */
export const rejectOnAbort = <T>(
  promise: Promise<T>,
  signal: AbortSignal,
  listen = (callback: () => void) => onAbort(signal, callback),
): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) {
      abort();
    }
    promise.then(resolve, reject).finally(listen(abort));
  });
