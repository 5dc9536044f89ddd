const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;

/** Timeouts that have not run yet, and intervals. */
const pending = new Set<unknown>();

/** Whether the program has timers left. Without any, it ends, as in Node. */
export const hasTimers = (): boolean => pending.size > 0;

/** The timers of the playground itself, which do not keep a program running. */
export const own = {
  setInterval: setInterval.bind(globalThis),
  clearInterval: clearInterval.bind(globalThis),
};

/** Clears a timeout or an interval: on the platform, either function clears both. */
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
