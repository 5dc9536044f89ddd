/** The callbacks of each signal, and the one listener that calls them. */
const shared = new WeakMap<AbortSignal, { callbacks: Set<() => void>; listener: () => void }>();

/**
 * Calls back when the signal is aborted. A signal has one listener, however many callbacks share it: platforms compare
 * each new listener with all earlier ones, so the time for thousands of listeners would grow with the square of their
 * number.
 *
 * @returns A function that removes the callback.
 * @example
 * ```ts
 * const stop = onAbort(signal, () => controller.abort(signal.reason));
 * ```
 */
export const onAbort = (signal: AbortSignal, callback: () => void): (() => void) => {
  let entry = shared.get(signal);
  if (entry === undefined) {
    const callbacks = new Set<() => void>();
    entry = { callbacks, listener: () => callbacks.forEach((each) => void each()) };
    shared.set(signal, entry);
    signal.addEventListener('abort', entry.listener, { once: true });
  }
  const { callbacks, listener } = entry;
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size === 0) {
      shared.delete(signal);
      signal.removeEventListener('abort', listener);
    }
  };
};

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
    promise.then(resolve, reject).finally(onAbort(signal, abort));
  });
