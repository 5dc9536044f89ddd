import { rejectOnAbort } from '@confab/internal';
import type { Clock } from '../time/clock.ts';

/**
 * Sleeps until a time, or until the next message arrives. Each waiter has its own timer: in Workers a timer ends with the
 * request that set it, so a shared one would end with the first waiter.
 *
 * @returns True when the time has come.
 * @throws The signal's reason as soon as it is aborted.
 */
export const sleepUntil = async (
  clock: Clock,
  at: number,
  next: Promise<unknown>,
  ended: AbortSignal,
): Promise<boolean> => {
  const nap = new AbortController();
  next.then(() => nap.abort());
  try {
    await rejectOnAbort(clock.sleep(at - clock.now(), nap.signal, 'wait'), ended);
    return true;
  } catch (reason) {
    if (ended.aborted || !nap.signal.aborted) {
      throw reason;
    }
    return false;
  } finally {
    nap.abort();
  }
};
