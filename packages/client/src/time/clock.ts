/**
 * Creates the reason of an abort. It is not a DOMException because these errors are created when the package is imported,
 * and some runtimes that import it have no DOMException.
 */
export const createAbortError = (message: string): Error =>
  Object.assign(new Error(message), { name: 'AbortError' });

/** The reason with which a timer that is no longer needed is aborted. One error with its stack is shared by all timers. */
export const TIMER_STOPPED = createAbortError('The timer was stopped');

/**
 * Read when this module is loaded, so fake timers that a test installs later do not stop an import of rows. Browsers and
 * Workers have no `setImmediate`, and their timeouts may take some milliseconds.
 */
const { setImmediate: schedule = setTimeout } = globalThis as { setImmediate?: (run: () => void) => unknown };

/** Lets the event loop run: timers, signals and other work. Promises alone would not. */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => {
    schedule(resolve);
  });

/** Tells the time and waits. The client uses nothing else for time, so a test can control it. */
export interface Clock {
  /** Returns milliseconds since 1970; fractions make the rate more exact. */
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

/**
 * Milliseconds by which `Date` may get ahead of `performance` without a jump, because `Date` rounds down. Jumps, by hand or
 * by NTP, are larger.
 */
const MAX_DRIFT = 50;

/** Milliseconds by which timers may fire early. */
const MAX_EARLY = 2;

/** The last `Date.now`: fake timers replace it. */
let dateNow: (() => number) | undefined;
/** The last reading of `performance`. Fake timers restart it, and those of Bun do not replace `Date.now`. */
let readTicks = 0;
/** The largest difference between `Date` and `performance` so far. */
let maxDifference = 0;
/** The time of {@link systemClock} at the zero of `performance`. */
let origin = 0;
let latest = 0;

/** Next.js stops prerendering a page that calls its own `Date.now`, which is a bound function. */
const readDate = (): number =>
  Date.now.name === 'bound now' ? performance.timeOrigin + performance.now() : Date.now();

/**
 * Returns the time by `performance`, which has fractions and does not jump when the system's time is set, moved forward by
 * whatever shows that more time has passed.
 *
 * `performance` stands still while a machine sleeps (nodejs/node#47724), and under fake timers that replace `Date` alone, so
 * the time follows a `Date` that gets ahead: after an hour of sleep, `Date` has moved an hour further than `performance`, so
 * this hour is added. It does not follow one that is set back, nor one that jumps back and forth, as
 * on some virtual machines. After fake timers are installed or removed, it goes on from where it was.
 */
const readSystemTime = (): number => {
  const ticks = performance.now();
  const difference = readDate() - ticks;
  if (Date.now !== dateNow || ticks < readTicks) {
    origin = dateNow === undefined ? difference : latest - ticks;
    maxDifference = difference;
    dateNow = Date.now;
  } else if (difference > maxDifference + MAX_DRIFT) {
    origin += difference - maxDifference;
    maxDifference = difference;
  }
  readTicks = ticks;
  latest = Math.max(latest, ticks + origin);
  return latest;
};

/** The system's time. It reads `Date`, `performance` and `setTimeout` whenever it needs them, because tests replace them. */
export const systemClock: Clock = {
  now: readSystemTime,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        return reject(signal.reason);
      }
      if (ms <= 0) {
        return resolve();
      }
      // Timers drop fractions, so they would fire too early without rounding up.
      const wait = Math.min(Math.ceil(ms), MAX_TIMER);
      const endsAt = readSystemTime() + wait;
      const startedAt = performance.now();
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const wake = () => {
        signal?.removeEventListener('abort', abort);
        const ticks = performance.now();
        if (ticks - startedAt < wait - MAX_EARLY) {
          // Fake timers may leave `performance` alone. The time has passed, whatever the other clocks say.
          origin = Math.max(origin, endsAt - ticks);
        }
        resolve(ms > wait ? systemClock.sleep(ms - wait, signal) : undefined);
      };
      const timer = setTimeout(wake, wait);
      signal?.addEventListener('abort', abort, { once: true });
    }),
};

/** Returns the `Date` of a time by a clock, in milliseconds since 1970: the system's clock goes on when `Date` is set. */
export const dateOf = (clock: Clock, time: number): number =>
  clock === systemClock ? time - clock.now() + readDate() : time;
