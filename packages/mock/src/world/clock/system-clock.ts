import { MockClosedError, MockError } from '../../errors/mock-error.ts';
import type { WorldClock } from './clock.ts';
import { checkSleep } from './clock.ts';
import { Era } from './era.ts';
import { checkTimers, realTimer } from './timers.ts';

/** The longest delay of a platform timer: a longer one fires at once. */
const LONGEST = 2 ** 31 - 1;

/** {@link realTimer} for a delay of any length. */
const longTimer = (ms: number, run: () => void): (() => void) => {
  const part = Math.min(Math.max(0, ms), LONGEST);
  const next = () => {
    if (part < ms) {
      cancel = longTimer(ms - part, run);
    } else {
      run();
    }
  };
  let cancel = realTimer(part, next);
  return () => cancel();
};

const sleepUntilEnd = (life: Era, ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    checkSleep(ms);
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    let cancel = () => {};
    const end = (settle: () => void) => {
      cancel();
      forget();
      signal?.removeEventListener('abort', onAbort);
      settle();
    };
    const onAbort = () => end(() => reject(signal?.reason));
    let forget = () => {};
    forget = life.onEnd(() => end(() => reject(new MockClosedError('clock.sleep()'))));
    if (life.over) {
      return;
    }
    cancel = longTimer(ms, () => end(resolve));
    signal?.addEventListener('abort', onAbort, { once: true });
  });

const refuse = (method: string) => async (): Promise<never> => {
  throw new MockError(
    'CLOCK_NOT_VIRTUAL',
    `clock.${method}() works only on the virtual clock, and this mock was created with clock: 'system'`,
  );
};

/**
 * The clock of the machine.
 *
 * @throws {@link MockError} `NO_REAL_TIMERS`, when there is no real `setTimeout`.
 */
export const createSystemClock = (): WorldClock => {
  checkTimers();
  const life = new Era();
  return {
    kind: 'system',
    now: () => Date.now(),
    sleep: (ms = 0, signal) => sleepUntilEnd(life, ms, signal),
    sleepWhile: (ms, _pulls, signal) => sleepUntilEnd(life, ms, signal),
    advance: refuse('advance'),
    set: refuse('set'),
    busy: () => () => {},
    outside: () => () => {},
    hanging: () => () => {},
    poke: () => {},
    load: () => {},
    close: () => life.end(),
  };
};
