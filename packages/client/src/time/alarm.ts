import type { Clock } from './clock.ts';
import { createAbortError } from './clock.ts';

const STOPPED = createAbortError('The timer was stopped');

/**
 * Creates an alarm that rings at one time. The returned function sets it, to undefined for never.
 *
 * @param fail Called when the clock, which may be a user's, has thrown.
 */
export const createAlarm = (
  clock: Clock,
  ring: () => void,
  fail: (reason: unknown) => void,
): ((at: number | undefined) => void) => {
  let set: { readonly at: number; readonly controller: AbortController } | undefined;
  return (at) => {
    if (set?.at === at) {
      return;
    }
    set?.controller.abort(STOPPED);
    set = undefined;
    if (at === undefined) {
      return;
    }
    const controller = new AbortController();
    set = { at, controller };
    /** Returns false when it has been set to another time since. */
    const end = (): boolean => {
      const isDue = !controller.signal.aborted;
      set = isDue ? undefined : set;
      return isDue;
    };
    // A user's clock may throw instead of rejecting.
    new Promise((resolve) => resolve(clock.sleep(at - clock.now(), controller.signal, 'wait'))).then(
      () => end() && ring(),
      (reason) => end() && fail(reason),
    );
  };
};
