import { sharedRateLimit } from '@confab/client/rate-limit';
import type { Limiter } from '../../packages/client/src/rate-limit/limiter.ts';
import { createLimiter } from '../../packages/client/src/rate-limit/limiter.ts';
import { mulberry32 } from '../random/mulberry32.ts';
import { createSimulatedRedis } from './simulated-redis.ts';
import { createVirtualClock } from './virtual-clock.ts';

/** The budget of every simulation. */
export const BUDGET = { requests: 10_000, perMs: 10_000 } as const;

/** Milliseconds that the API takes for a request. */
const RESPONSE_MS = 100;

/** Milliseconds that an attempt may take: the default of the client, and what it allows for keys and headers. */
const TIMEOUT = 90_000;

/** A process of a simulation. */
export interface Process {
  /** Calls that it made early enough for a place: before the last window of the simulation. */
  wanted: number;
  /** Those calls whose requests it has sent. */
  served: number;
  /** Starts a call. */
  call(): void;
  /** Ends the process as a crash does: its places are never released. */
  kill(): void;
  readonly alive: boolean;
}

export interface Simulation {
  readonly processes: readonly Process[];
  /** Requests that the API received, by second. */
  readonly sent: readonly number[];
  /** Calls of Redis, by second. */
  readonly redisCalls: readonly number[];
}

/** What happens in a simulation. */
export interface Scenario {
  readonly name: string;
  readonly seconds: number;
  readonly line: boolean;
  readonly outage?: readonly [from: number, to: number] | undefined;
  /** Prepares the processes. It may use the clock to do more later. */
  readonly play: (stage: Stage) => void;
}

/** What a scenario may do. */
export interface Stage {
  /** From 0 up to, but not including, 1: the same numbers in every run. */
  readonly random: () => number;
  readonly at: (time: number, callback: () => void) => void;
  readonly now: () => number;
  /** Starts a process. */
  readonly start: (concurrency?: number) => Process;
}

export interface RedisSpeed {
  readonly callMs: number;
  readonly roundTripMs: number;
}

/** Plays a scenario: the limiters of all processes in one program, on one clock. */
export const simulate = async (scenario: Scenario, speed: RedisSpeed): Promise<Simulation> => {
  const { seconds, line, outage, play } = scenario;
  const clock = createVirtualClock();
  const redis = createSimulatedRedis(clock, { ...BUDGET, ...speed, line, outage });
  const processes: Process[] = [];
  const sent = Array.from({ length: seconds }, () => 0);

  const lastWindow = seconds * 1_000 - BUDGET.perMs;

  const send = async (limiter: Limiter, signal: AbortSignal, onSent: () => void): Promise<void> => {
    const permit = await limiter.acquire({
      signal,
      isRetry: false,
      timeout: TIMEOUT,
      maxPause: Number.POSITIVE_INFINITY,
      endsAt: Number.POSITIVE_INFINITY,
    });
    if ('refused' in permit) {
      throw new Error(`A call that waits for every pause was refused: ${permit.refused}`);
    }
    const now = clock.now();
    const second = Math.floor(now / 1_000);
    sent[second] = (sent[second] ?? 0) + 1;
    onSent();
    clock.at(now + RESPONSE_MS, () => {
      if (!signal.aborted) {
        permit.release(true);
      }
    });
  };

  const start = (concurrency = 10): Process => {
    const ended = new AbortController();
    const limiter = createLimiter({
      clock,
      concurrency,
      rateLimit: sharedRateLimit({ ...BUDGET, store: redis.open() }),
    });
    const process: Process = {
      wanted: 0,
      served: 0,
      call() {
        const counted = clock.now() < lastWindow ? 1 : 0;
        process.wanted += counted;
        const onSent = () => {
          process.served += counted;
        };
        send(limiter, ended.signal, onSent).catch(() => {});
      },
      kill: () => ended.abort(),
      get alive() {
        return !ended.signal.aborted;
      },
    };
    processes.push(process);
    return process;
  };

  play({ random: mulberry32(1), at: clock.at, now: clock.now, start });
  await clock.runTo(seconds * 1_000);
  return {
    processes,
    sent: sent.slice(0, seconds),
    redisCalls: Array.from({ length: seconds }, (_, second) => redis.calls[second] ?? 0),
  };
};
