import { runRedisScript } from '@confab/internal';
import type { Redis } from 'ioredis';
import { RELEASE, TAKE } from '../../packages/client/src/redis/scripts.ts';
import { costOf, times } from './redis-usage.ts';

/** What the shared budget costs Redis. */
export interface BudgetCosts {
  /** Milliseconds of CPU to take a place. */
  readonly takeMs: number;
  /** Milliseconds of CPU to release it. */
  readonly releaseMs: number;
  /** Milliseconds of CPU to be refused, and join the line. */
  readonly refuseMs: number;
  readonly bytesPerPlace: number;
  readonly bytesPerWaiter: number;
}

/** Places in the window, and processes in the line. */
const COUNT = 10_000;

const [PER_MS, LEASE_MS] = [3_600_000, 90_000];

const KEYS = ['confab:{scale}:window', 'confab:{scale}:pause', 'confab:{scale}:line'];

const bytesOf = async (redis: Redis, key = ''): Promise<number> =>
  Number(await redis.call('MEMORY', 'USAGE', key, 'SAMPLES', '0')) / COUNT;

/** Measures the scripts of `redisRateLimit`, with as many places in the window, and as many processes, as the page has. */
export const measureBudget = async (redis: Redis): Promise<BudgetCosts> => {
  const take = async (requests: number, batch: string, process: string) => {
    const reply = await runRedisScript(redis, TAKE, KEYS, [requests, PER_MS, 1, LEASE_MS, batch, process]);
    return (reply as number[])[0];
  };
  /** Names as long as those that processes have. */
  const named = (kind: string, index: number) =>
    `${kind}-${String(index).padStart(36 - kind.length - 1, '0')}`;

  const fill = await costOf(redis, () =>
    times(COUNT, (index) => take(COUNT, `${named('place', index)}:`, named('own', index))),
  );
  const release = await costOf(redis, () =>
    times(COUNT, (index) =>
      runRedisScript(redis, RELEASE, KEYS.slice(0, 1), [`${named('place', index)}:1`, PER_MS, 1]),
    ),
  );
  const refuse = await costOf(redis, () =>
    times(COUNT, async (index) => {
      if ((await take(COUNT, 'none', named('waiter', index))) !== 0) {
        throw new Error('A full window granted a place.');
      }
    }),
  );
  return {
    takeMs: fill.cpuMs / COUNT,
    releaseMs: release.cpuMs / COUNT,
    refuseMs: refuse.cpuMs / COUNT,
    bytesPerPlace: await bytesOf(redis, KEYS[0]),
    bytesPerWaiter: await bytesOf(redis, KEYS[2]),
  };
};
