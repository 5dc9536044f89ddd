/**
 * A value, unless the caller goes away first.
 *
 * @throws The reason of the signal, once it aborts.
 */
export const unlessAborted = <T>(value: T | Promise<T>, signal: AbortSignal | undefined): T | Promise<T> => {
  if (signal?.aborted) {
    // Nobody waits for it any more, so nobody else would hear that it failed.
    if (value instanceof Promise) {
      value.catch(() => {});
    }
    throw signal.reason;
  }
  return value instanceof Promise && signal !== undefined ? race(value, signal) : value;
};

const race = async <T>(value: Promise<T>, signal: AbortSignal): Promise<T> => {
  let onAbort = () => {};
  const gone = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([value, gone]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
};
