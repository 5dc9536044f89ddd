import type { Clock } from '../../src/index.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

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
  let now = start;
  const sleepers = new Set<Sleeper>();
  const waits: number[] = [];
  const moveTo = (time: number) => {
    now = Math.max(now, time);
    for (const sleeper of [...sleepers].sort((a, b) => a.at - b.at)) {
      if (sleeper.at <= now) {
        sleeper.wake();
      }
    }
  };
  return {
    waits,
    get timeouts() {
      return sleepers.size;
    },
    now: () => now,
    advance: (ms) => moveTo(now + ms),
    sleep: (ms, signal, purpose = 'wait') =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) {
          return reject(signal.reason);
        }
        const at = now + ms;
        const end = () => {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', abort);
        };
        const abort = () => {
          end();
          reject(signal?.reason);
        };
        const sleeper: Sleeper = {
          at,
          wake: () => {
            end();
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', abort);
        if (purpose === 'timeout') {
          return;
        }
        waits.push(ms);
        // Later, as with a real clock: whoever sleeps has not gone on yet.
        queueMicrotask(() => moveTo(at));
      }),
  };
};
