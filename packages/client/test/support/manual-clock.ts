import type { Clock } from '../../src/index.ts';

/** A clock whose sleepers wake in the order of their time, when the test turns it. */
export const createManualClock = () => {
  let now = 0;
  const sleepers = new Map<symbol, { at: number; wake: () => void }>();
  const clock: Clock = {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const id = Symbol();
        sleepers.set(id, {
          at: now + Math.max(0, ms),
          wake: () => {
            sleepers.delete(id);
            resolve();
          },
        });
        signal?.addEventListener('abort', () => {
          sleepers.delete(id);
          reject(signal.reason);
        });
      }),
  };
  const settle = () => new Promise<void>(setImmediate);
  return {
    clock,
    sleepers,
    settle,
    /** Turns to a time, with a stop at every wake-up. */
    async turnTo(time: number) {
      await settle();
      for (;;) {
        const [next] = [...sleepers.values()].sort((a, b) => a.at - b.at);
        if (next === undefined || next.at > time) {
          break;
        }
        now = next.at;
        next.wake();
        await settle();
      }
      now = time;
    },
  };
};
