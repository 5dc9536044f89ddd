import { rejectOnAbort } from '@confab/internal';
import { MockClosedError, MockError } from '../../errors/mock-error.ts';
import { linkSignals } from './abort.ts';
import type { WorldClock } from './clock.ts';
import { checkSleep } from './clock.ts';
import { checkTimers, presentTimer } from './real-timers.ts';

const refuse = (method: string) => async (): Promise<never> => {
  throw new MockError(
    'CLOCK_NOT_VIRTUAL',
    `clock.${method}() works only on the virtual clock, and this mock was created with clock: 'system'. If the test uses fake timers, advance them instead: this clock follows them.`,
  );
};

const ignore = () => () => {};

/**
 * Creates a clock that follows the machine, or fake timers while a test has installed some, so that the mock and the code
 * under test have the same time.
 *
 * @throws A {@link MockError} `NO_REAL_TIMERS`, when there is no real `setTimeout`.
 */
export const createSystemClock = (): WorldClock => {
  checkTimers();
  const closeController = new AbortController();
  return {
    kind: 'system',
    now: () => Date.now(),
    async sleep(ms = 0, signal = undefined) {
      checkSleep(ms, signal);
      const { controller, release } = linkSignals(signal, closeController.signal);
      let cancel = () => {};
      const elapsed = new Promise<void>((resolve) => {
        cancel = presentTimer(ms, resolve);
      });
      try {
        await rejectOnAbort(elapsed, controller.signal);
      } finally {
        cancel();
        release();
      }
    },
    advance: refuse('advance'),
    set: refuse('set'),
    holdTime: ignore,
    driveTime: ignore,
    load: () => {},
    close: () => closeController.abort(new MockClosedError('A client or a test waited on the clock')),
  };
};
