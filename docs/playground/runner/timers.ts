const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;

/** Timers that have not run yet, and intervals. */
const pending = new Set<unknown>();

/** Whether a program has more to do, as in Node: it ends when no timer is left. */
export const hasTimers = (): boolean => pending.size > 0;

/** The timers of the playground itself, which keep no program running. */
export const own = {
  setInterval: setInterval.bind(globalThis),
  clearInterval: clearInterval.bind(globalThis),
};

/** Either function of the platform clears both kinds of timers. */
const clear = (timer: number): void => {
  pending.delete(timer);
  clearTimeout(timer);
};

Object.assign(globalThis, {
  setTimeout: (callback: (...values: unknown[]) => void, ms?: number, ...values: unknown[]) => {
    const timer = setTimeout(() => {
      pending.delete(timer);
      callback(...values);
    }, ms);
    pending.add(timer);
    return timer;
  },
  setInterval: (callback: () => void, ms?: number, ...values: unknown[]) => {
    const timer = setInterval(callback, ms, ...values);
    pending.add(timer);
    return timer;
  },
  clearTimeout: clear,
  clearInterval: clear,
});
