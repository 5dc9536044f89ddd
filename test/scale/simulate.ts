import type { Clock } from '@confab/client';
import { Limiter } from '../../packages/client/src/rate-limit/limiter.ts';
import type { RateLimitStore } from '../../packages/client/src/redis/shared-window.ts';
import { createSharedRateLimit } from '../../packages/client/src/redis/shared-window.ts';
import { createBudget } from '../support/budget.ts';
import { createRandom } from '../support/random.ts';
import { sleepOn } from '../support/sleep.ts';
import { createTimeline } from '../support/timeline.ts';

/** The rate limit that all processes share. */
export const LIMIT = { requests: 10_000, perMs: 10_000 } as const;

/** The milliseconds of a request to the API, and of a message to Redis and back. */
const [RESPONSE_MS, ROUND_TRIP_MS] = [100, 1];

/** An attempt as the client asks for it. By default, it may take 90 s. */
const ATTEMPT = {
  isRetry: false,
  isBulk: false,
  leaseMs: 90_000,
  maxPauseMs: Number.POSITIVE_INFINITY,
  endsAt: Number.POSITIVE_INFINITY,
  signal: new AbortController().signal,
} as const;

/** A process of a simulation. */
export interface Process {
  /** The calls that it made early enough to be served: before the last window of the simulation. */
  wanted: number;
  /** How many of these calls have sent their request. */
  served: number;
  /** False after a crash: the process then does nothing, and its places are never released. */
  alive: boolean;
  readonly call: () => Promise<void>;
}

/** The functions that a scenario may call. */
export interface Stage {
  /** Returns a number from 0 up to, but not including, 1: the same ones in every run. */
  readonly random: () => number;
  /** Calls back after `ms` milliseconds. */
  readonly after: (ms: number, callback: () => void) => void;
  readonly start: (concurrency?: number) => Process;
}

export interface Scenario {
  readonly name: string;
  readonly seconds: number;
  /** The interval in milliseconds in which nothing reaches Redis. */
  readonly outage?: readonly [from: number, to: number];
  /** Starts processes, now or later. */
  readonly play: (stage: Stage) => void;
}

/**
 * Simulates a scenario: the limiters of all processes, in one program and on one virtual clock.
 *
 * @param callMs Milliseconds that the one thread of Redis needs for a call. A call waits for all that came before.
 */
export const simulate = async (scenario: Scenario, callMs: number) => {
  const { seconds, outage: [from, to] = [0, 0], play } = scenario;
  const timeline = createTimeline(0);
  const { now } = timeline;
  // Whole milliseconds, as in timers of Node: everything within one takes a single turn of the event loop.
  const after = (ms: number, callback: () => void) =>
    void timeline.after(Math.ceil(now() + ms) - now(), 'event', callback);
  const timer = (ms: number, run: () => void) => timeline.after(ms, 'timer', run);
  const clock: Clock = { now, sleep: (ms, signal) => sleepOn(timer, Math.ceil(ms), signal) };
  const budget = createBudget(LIMIT);
  // Requests that the API received, and calls of Redis, by second.
  const sent = Array.from({ length: seconds }, () => 0);
  const redisCalls = [...sent];
  const count = (perSecond: number[], time: number) => {
    const second = Math.floor(time / 1_000);
    perSecond[second] = (perSecond[second] ?? 0) + 1;
  };
  const processes: Process[] = [];
  let redisFreeAt = 0;

  const start = (concurrency = 10): Process => {
    const id = processes.length;
    const inRedis = async <T>(script: () => T): Promise<T> => {
      if (!process.alive) {
        return new Promise(() => {});
      }
      if (from <= now() && now() < to) {
        await clock.sleep(1);
        throw new Error('connect ECONNREFUSED');
      }
      redisFreeAt = Math.max(now() + ROUND_TRIP_MS / 2, redisFreeAt) + callMs;
      count(redisCalls, redisFreeAt);
      await clock.sleep(redisFreeAt - now());
      const reply = script();
      await clock.sleep(ROUND_TRIP_MS / 2);
      return reply;
    };
    const store: RateLimitStore = {
      take: ({ count, leaseMs }) => inRedis(() => budget.take(id, count, leaseMs, now())),
      release: (place, counts) => inRedis(() => budget.release(place, counts, now())),
      pause: (ms) => inRedis(() => budget.pause(ms, now())),
    };
    const rateLimit = createSharedRateLimit({ ...LIMIT, store });
    const limiter = new Limiter({ clock, concurrency, rateLimit });
    const process: Process = {
      wanted: 0,
      served: 0,
      alive: true,
      async call() {
        const early = now() < seconds * 1_000 - LIMIT.perMs ? 1 : 0;
        process.wanted += early;
        const permit = await limiter.acquire(ATTEMPT);
        if (process.alive && 'end' in permit) {
          count(sent, now());
          process.served += early;
          await clock.sleep(RESPONSE_MS);
          permit.end({ counts: true });
        }
      },
    };
    processes.push(process);
    return process;
  };

  play({ random: createRandom(1, 'scale').next, after, start });
  const settle = () => new Promise(setImmediate);
  await settle();
  for (let next = timeline.next(); next < seconds * 1_000; next = timeline.next()) {
    while (timeline.next() === next) {
      timeline.step();
    }
    await settle();
  }
  return { processes, sent: sent.slice(0, seconds), redisCalls: redisCalls.slice(0, seconds) };
};

export type Simulation = Awaited<ReturnType<typeof simulate>>;
