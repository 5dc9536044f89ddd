/**
 * A value, unless the caller goes away first.
 *
 * @throws The reason of the signal, once it aborts.
 */
export const unlessAborted = async <T>(
  value: T | Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> => {
  if (signal === undefined) return value;
  signal.throwIfAborted();
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
