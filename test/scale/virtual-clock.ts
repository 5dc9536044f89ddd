import type { Clock } from '@confab/client';
import { sleepOn, timersOf } from '../timeline/sleep.ts';
import { createTimeline } from '../timeline/timeline.ts';

/** A clock that a simulation moves, in steps of a millisecond. */
export interface VirtualClock extends Clock {
  /** Calls back at a time; cheaper than a sleep. */
  at(time: number, callback: () => void): void;
  /** Moves to a time, with a stop at every millisecond at which something happens. */
  runTo(time: number): Promise<void>;
}

/** Lets everything that follows from resolved promises happen. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Creates a clock that starts at 0. Timers fire at whole milliseconds, as those of Node do. */
export const createVirtualClock = (): VirtualClock => {
  const timeline = createTimeline(0);
  const after = timersOf(timeline);
  return {
    now: timeline.now,
    at: (time, callback) => void timeline.after(Math.ceil(time) - timeline.now(), 'event', callback),
    sleep: (ms, signal) => sleepOn(after, Math.ceil(ms), signal),
    async runTo(time) {
      await settle();
      for (let next = timeline.next(); next <= time; next = timeline.next()) {
        while (timeline.next() === next) {
          timeline.step();
        }
        await settle();
      }
    },
  };
};
