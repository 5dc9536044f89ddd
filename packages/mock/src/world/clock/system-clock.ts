import { onAbort } from '@confab/internal';
import { MockClosedError, MockError } from '../../errors/mock-error.ts';
import type { WorldClock } from './clock.ts';
import { checkSleep } from './clock.ts';
import { checkTimers, realTimer } from './timers.ts';

/** The longest delay of a platform timer: a longer one fires at once. */
const MAX_TIMER = 2 ** 31 - 1;

/** {@link realTimer} for a delay of any length. */
const longTimer = (ms: number, run: () => void): (() => void) => {
  let cancel =
    ms <= MAX_TIMER
      ? realTimer(Math.max(0, ms), run)
      : realTimer(MAX_TIMER, () => {
          cancel = longTimer(ms - MAX_TIMER, run);
        });
  return () => cancel();
};

const refuse = (method: string) => async (): Promise<never> => {
  throw new MockError(
    'CLOCK_NOT_VIRTUAL',
    `clock.${method}() works only on the virtual clock, and this mock was created with clock: 'system'`,
  );
};

const ignore = () => () => {};

/**
 * The clock of the machine.
 *
 * @throws {@link MockError} `NO_REAL_TIMERS`, when there is no real `setTimeout`.
 */
export const createSystemClock = (): WorldClock => {
  checkTimers();
  const closeController = new AbortController();
  return {
    kind: 'system',
    now: () => Date.now(),
    async sleep(ms = 0, signal = undefined) {
      checkSleep(ms, signal);
      signal?.throwIfAborted();
      closeController.signal.throwIfAborted();
      let stop = () => {};
      try {
        await new Promise<void>((resolve, reject) => {
          const stops = [
            longTimer(ms, resolve),
            onAbort(closeController.signal, () => reject(closeController.signal.reason)),
          ];
          if (signal !== undefined) {
            stops.push(onAbort(signal, () => reject(signal.reason)));
          }
          stop = () => stops.forEach((each) => void each());
        });
      } finally {
        stop();
      }
    },
    advance: refuse('advance'),
    set: refuse('set'),
    holdTime: ignore,
    driveTime: ignore,
    load: () => {},
    close: () => closeController.abort(new MockClosedError('clock.sleep(), which its clients use,')),
  };
};
