/**
 * Settles as the promise does, or rejects with the signal's reason as soon as the signal is aborted.
 *
 * @throws The signal's reason once it is aborted.
 * @example
 * ```ts
 * const response = await rejectOnAbort(fetch(url), signal);
 * ```
 */
export const rejectOnAbort = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) {
      abort();
    }
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
