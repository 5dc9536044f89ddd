import type { Clock } from '../../src/index.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock whose sleepers wake in the order of their time, when the test turns it. */
export const createManualClock = (start = 0) => {
  let now = start;
  const sleepers = new Set<Sleeper>();
  const inOrder = () => [...sleepers].sort((a, b) => a.at - b.at);
  const clock: Clock = {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const end = () => {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', abort);
        };
        const abort = () => {
          end();
          reject(signal?.reason);
        };
        const wake = () => {
          end();
          resolve();
        };
        const sleeper: Sleeper = { at: now + Math.max(0, ms), wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', abort);
        if (signal?.aborted) {
          abort();
        }
      }),
  };
  const settle = () => new Promise<void>(setImmediate);
  return {
    clock,
    sleepers,
    settle,
    /** Moves to a time at once, and wakes all who sleep until then. */
    jumpTo(time: number) {
      now = Math.max(now, time);
      for (const { at, wake } of inOrder()) {
        if (at <= now) {
          wake();
        }
      }
    },
    /** Turns to a time, with a stop at every wake-up. */
    async turnTo(time: number) {
      await settle();
      for (let [next] = inOrder(); next !== undefined && next.at <= time; [next] = inOrder()) {
        now = next.at;
        next.wake();
        await settle();
      }
      now = time;
    },
  };
};
