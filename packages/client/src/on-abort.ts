interface Told {
  readonly callbacks: Set<() => void>;
  /** The signal's only listener of ours. */
  readonly listener: () => void;
}

const shared = new WeakMap<AbortSignal, Told>();

const listenTo = (signal: AbortSignal): Told => {
  const callbacks = new Set<() => void>();
  const listener = () => {
    for (const callback of callbacks) {
      callback();
    }
  };
  const told = { callbacks, listener };
  shared.set(signal, told);
  signal.addEventListener('abort', listener, { once: true });
  return told;
};

/**
 * Calls back when the signal is aborted. However many calls share a signal, it has one listener: platforms compare each
 * new listener with all earlier ones, so thousands of them would take time in the square of their number.
 *
 * @returns A function that takes the callback back.
 */
export const onAbort = (signal: AbortSignal, callback: () => void): (() => void) => {
  const { callbacks, listener } = shared.get(signal) ?? listenTo(signal);
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size === 0) {
      shared.delete(signal);
      signal.removeEventListener('abort', listener);
    }
  };
};
