import type { Clock } from './clock.ts';
import { TIMER_STOPPED } from './clock.ts';

/**
 * Creates an alarm. The returned function sets the time at which it rings; undefined turns it off.
 *
 * @param fail Called when the clock fails, which may be a user's.
 */
export const createAlarm = (
  clock: Clock,
  ring: () => void,
  fail: (reason: unknown) => void,
): ((at: number | undefined) => void) => {
  let current: { readonly at: number; readonly controller: AbortController } | undefined;
  return (at) => {
    if (current?.at === at) {
      return;
    }
    current?.controller.abort(TIMER_STOPPED);
    current = undefined;
    if (at === undefined) {
      return;
    }
    const controller = new AbortController();
    current = { at, controller };
    /** Turns the alarm off. Returns false if it was set to a different time in the meantime. */
    const finish = (): boolean => {
      const isDue = !controller.signal.aborted;
      current = isDue ? undefined : current;
      return isDue;
    };
    // A user's clock may throw instead of rejecting.
    new Promise((resolve) => resolve(clock.sleep(at - clock.now(), controller.signal, 'wait'))).then(
      () => finish() && ring(),
      (reason) => finish() && fail(reason),
    );
  };
};
