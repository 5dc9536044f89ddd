import type { Clock } from '../dist/index.js';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock that moves straight to the next wake-up as soon as nothing else is left to do. */
export const createVirtualClock = (): Clock => {
  let now = 0;
  const sleepers = new Set<Sleeper>();

  const moveOn = () => {
    const next = Math.min(...[...sleepers].map(({ at }) => at));
    if (next <= now || next === Number.POSITIVE_INFINITY) {
      return;
    }
    now = next;
    for (const { at, wake } of [...sleepers]) {
      if (at <= now) {
        wake();
      }
    }
  };

  return {
    now: () => now,
    sleep: (ms, signal, purpose = 'wait') =>
      new Promise((resolve, reject) => {
        // A bound on something that is answered in any case: time need not move there.
        if (purpose === 'timeout') {
          return;
        }
        const leave = () => {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', abort);
        };
        const abort = () => {
          leave();
          reject(signal?.reason);
        };
        const sleeper = {
          at: now + ms,
          wake: () => {
            leave();
            resolve();
            setImmediate(moveOn);
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', abort, { once: true });
        setImmediate(moveOn);
      }),
  };
};
