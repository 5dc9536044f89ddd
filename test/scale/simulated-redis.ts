import type { RateLimitStore } from '@confab/client/rate-limit';
import type { Budget, BudgetOptions } from '../budget/budget.ts';
import { createBudget } from '../budget/budget.ts';
import type { VirtualClock } from './virtual-clock.ts';

export interface SimulatedRedisOptions extends BudgetOptions {
  /** Milliseconds that the one thread of Redis needs for a script. */
  readonly callMs: number;
  /** Milliseconds to Redis and back. */
  readonly roundTripMs: number;
  /** From when until when nothing reaches Redis. */
  readonly outage?: readonly [from: number, to: number] | undefined;
}

/** One Redis for many processes, on a virtual clock. */
export interface SimulatedRedis {
  /** The store of one process. */
  open(): RateLimitStore;
  /** The number of calls of each second. */
  readonly calls: readonly number[];
}

/** Creates a Redis that works off one call after another: a call waits for all calls that came before. */
export const createSimulatedRedis = (clock: VirtualClock, options: SimulatedRedisOptions): SimulatedRedis => {
  const { callMs, roundTripMs, outage: [from, to] = [0, 0] } = options;
  const budget = createBudget(options);
  const calls: number[] = [];
  let freeAt = 0;
  let processes = 0;

  const run = <T>(script: (budget: Budget, now: number) => T): Promise<T> =>
    new Promise((resolve, reject) => {
      const now = clock.now();
      if (from <= now && now < to) {
        clock.at(now + 1, () => reject(new Error('connect ECONNREFUSED')));
        return;
      }
      freeAt = Math.max(now + roundTripMs / 2, freeAt) + callMs;
      const second = Math.floor(freeAt / 1_000);
      calls[second] = (calls[second] ?? 0) + 1;
      clock.at(freeAt, () => {
        const reply = script(budget, clock.now());
        clock.at(clock.now() + roundTripMs / 2, () => resolve(reply));
      });
    });

  return {
    calls,
    open() {
      processes += 1;
      const id = processes;
      return {
        take: ({ count, leaseMs }) => run((budget, now) => budget.take(id, count, leaseMs, now)),
        release: (place, counts) => run((budget, now) => budget.release(place, counts, now)),
        pause: (ms) => run((budget, now) => budget.pause(ms, now)),
      };
    },
  };
};
