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
