/** Who is told of each signal's abort, and how. */
const shared = new WeakMap<AbortSignal, { callbacks: Set<() => void>; listener: () => void }>();

/**
 * Calls back when the signal is aborted. However many calls share a signal, it has one listener: platforms compare each
 * new listener with all earlier ones, so thousands of them would take time in the square of their number.
 *
 * @returns A function that takes the callback back.
 */
export const onAbort = (signal: AbortSignal, callback: () => void): (() => void) => {
  let told = shared.get(signal);
  if (told === undefined) {
    const callbacks = new Set<() => void>();
    told = { callbacks, listener: () => callbacks.forEach((each) => void each()) };
    shared.set(signal, told);
    signal.addEventListener('abort', told.listener, { once: true });
  }
  const { callbacks, listener } = told;
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size === 0) {
      shared.delete(signal);
      signal.removeEventListener('abort', listener);
    }
  };
};
