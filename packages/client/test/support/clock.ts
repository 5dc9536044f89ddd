import type { Clock } from '../../src/index.ts';
import { createManualClock } from './manual-clock.ts';

/** A clock for tests against a real server. Whoever waits is woken at once, and time moves on by that much. */
export interface TestClock extends Clock {
  /** Milliseconds of each wait, in order. */
  readonly waits: number[];
  /** Bounds on something else that are running. */
  readonly timeouts: number;
  /** Moves time forward, over timeouts. */
  advance(ms: number): void;
}

export const createTestClock = (start = Date.UTC(2026, 0, 1)): TestClock => {
  const { clock, sleepers, jumpTo } = createManualClock(start);
  const waits: number[] = [];
  return {
    waits,
    get timeouts() {
      return sleepers.size;
    },
    now: clock.now,
    advance: (ms) => jumpTo(clock.now() + ms),
    sleep: (ms, signal, purpose = 'wait') => {
      const slept = clock.sleep(ms, signal);
      if (purpose === 'wait' && !signal?.aborted) {
        const at = clock.now() + ms;
        waits.push(ms);
        // Later, as with a real clock: whoever sleeps has not gone on yet.
        queueMicrotask(() => jumpTo(at));
      }
      return slept;
    },
  };
};
