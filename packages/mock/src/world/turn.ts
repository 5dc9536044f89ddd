const { setTimeout: setSystemTimeout, clearTimeout: clearSystemTimeout } = globalThis;
const immediate: ((run: () => void) => unknown) | undefined = Reflect.get(globalThis, 'setImmediate');

/**
 * Lets the event loop turn once.
 *
 * The timers are taken when this module is loaded: fake timers put in place by a test later don't stop the clock.
 */
export const turn: () => Promise<void> =
  immediate !== undefined
    ? () => new Promise((resolve) => immediate(() => resolve()))
    : () =>
        new Promise((resolve) => {
          // Browsers hold nested timeouts back by 4 ms each, but not messages.
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => {
            port1.close();
            resolve();
          };
          port2.postMessage(null);
        });

/** Resolves after some milliseconds of real time. */
export const realDelay = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setSystemTimeout(resolve, ms);
  });

/** Calls back after some milliseconds of real time; returns what cancels that. */
export const realTimer = (ms: number, run: () => void): (() => void) => {
  const timer = setSystemTimeout(run, ms);
  return () => clearSystemTimeout(timer);
};
