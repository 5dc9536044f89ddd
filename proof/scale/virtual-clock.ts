import type { Clock } from '@confab/client';
import { Heap } from './heap.ts';

interface Sleeper {
  wake: (() => void) | undefined;
}

/** A clock that a simulation moves, in steps of a millisecond. */
export interface VirtualClock extends Clock {
  /** Calls back at a time; cheaper than a sleep. */
  at(time: number, callback: () => void): void;
  /** Moves to a time, with a stop at every millisecond at which something wakes up. */
  runTo(time: number): Promise<void>;
}

/** Lets everything that follows from resolved promises happen. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Creates a clock that starts at 0. Timers fire at whole milliseconds, as those of Node do. */
export const createVirtualClock = (): VirtualClock => {
  const sleepers = new Heap<Sleeper>();
  let now = 0;
  const add = (time: number, wake: () => void): Sleeper => {
    const sleeper = { wake };
    sleepers.add(Math.max(Math.ceil(time), now), sleeper);
    return sleeper;
  };
  return {
    now: () => now,
    at: (time, callback) => void add(time, callback),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const abort = () => {
          // The entry stays in the queue until its time, without what it would wake.
          sleeper.wake = undefined;
          reject(signal?.reason);
        };
        const sleeper = add(now + Math.max(0, ms), () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        });
        signal?.addEventListener('abort', abort, { once: true });
      }),
    async runTo(time) {
      await settle();
      for (let next = sleepers.lowest; next !== undefined && next <= time; next = sleepers.lowest) {
        now = next;
        let woken = false;
        while (sleepers.lowest === now) {
          const wake = sleepers.take()?.wake;
          if (wake !== undefined) {
            wake();
            woken = true;
          }
        }
        if (woken) {
          await settle();
        }
      }
      now = time;
    },
  };
};
