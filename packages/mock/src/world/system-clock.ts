import { checkSleep, type WorldClock } from './clock.ts';
import { realTimer } from './turn.ts';

/** The longest that a timer of the platform takes. */
const LONGEST = 2 ** 31 - 1;

const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    checkSleep(ms);
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = realTimer(Math.min(ms, LONGEST), () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });

const refuse = (method: string) => async (): Promise<never> => {
  throw new Error(`clock.${method}() moves only the virtual clock; this mock was made with clock: 'system'`);
};

/** The clock of the machine. */
export const createSystemClock = (): WorldClock => ({
  now: () => Date.now(),
  sleep,
  sleepWhile: (ms, _pulls, signal) => sleep(ms, signal),
  advance: refuse('advance'),
  set: refuse('set'),
  busy: () => () => {},
  outside: () => () => {},
  hanging: () => () => {},
  poke: () => {},
  load: () => {},
});
