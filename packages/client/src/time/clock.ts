/**
 * Creates a reason to abort something with. It is not a DOMException because these errors are created once, when the
 * package is imported, and some runtimes that import it have no DOMException.
 */
export const createAbortError = (message: string): Error =>
  Object.assign(new Error(message), { name: 'AbortError' });

/**
 * Taken when this module is loaded, so fake timers that a test installs later do not hold back an import. Browsers and
 * Workers have no `setImmediate`. Their timeouts may take some milliseconds.
 */
const { setImmediate: schedule = setTimeout } = globalThis as { setImmediate?: (run: () => void) => unknown };

/** Lets the event loop run: timers, signals and other work. Promises alone would not. */
export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    schedule(resolve);
  });

/** Tells the time and waits. The client reads the time and waits through it alone, so a test can control both. */
export interface Clock {
  /** Returns milliseconds since 1970; fractions make the pace more exact. */
  now(): number;
  /**
   * Resolves after `ms` milliseconds; rejects with the signal's reason as soon as the signal is aborted.
   *
   * @param purpose `'wait'` for a delay that the caller waits out; `'timeout'` for a limit on something else, aborted
   * when that ends. A virtual clock need not move time forward for a timeout. Default `'wait'`.
   */
  sleep(ms: number, signal?: AbortSignal, purpose?: 'wait' | 'timeout'): Promise<void>;
}

/** The longest delay of a timer: `setTimeout` fires at once when it is given a longer one. */
export const MAX_TIMER = 2 ** 31 - 1;

/** The system's time. */
export const systemClock: Clock = {
  // Not `Date.now()`: it jumps when the system's time is set, and it rounds down, so a window of the service could seem
  // to end a millisecond early.
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        return reject(signal.reason);
      }
      if (ms <= 0) {
        return resolve();
      }
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const wake = () => {
        signal?.removeEventListener('abort', abort);
        resolve(ms > MAX_TIMER ? systemClock.sleep(ms - MAX_TIMER, signal) : undefined);
      };
      const timer = setTimeout(wake, Math.min(ms, MAX_TIMER));
      signal?.addEventListener('abort', abort, { once: true });
    }),
};
