import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisServer } from '@confab/internal/test-support';
import type { Fleet } from './fleet.ts';
import { append } from './journal.ts';
import type { Random } from './random.ts';

/** What can be killed. */
const TARGETS = ['worker', 'receiver', 'redis'] as const;
type Target = (typeof TARGETS)[number];

/** Workers are killed most often, because they have the most to lose. */
const WEIGHTED: readonly Target[] = ['worker', 'worker', 'worker', 'worker', 'receiver', 'redis'];

/** The processes under test. */
export interface Processes {
  readonly redis: RedisServer;
  readonly receivers: Fleet;
  readonly workers: Fleet;
  readonly workerCount: number;
}

/** Kills one process after another. */
export interface Chaos {
  /** How often each was killed, and started again. */
  readonly kills: Readonly<Record<Target, number>>;
  /** Kills one process at a random moment, and has it started again. */
  strike(): Promise<void>;
}

/** Creates the source of all trouble. Its first three strikes hit each target once. */
export const createChaos = (processes: Processes, journal: string, random: Random): Chaos => {
  const { redis, receivers, workers, workerCount } = processes;
  const kills = { worker: 0, receiver: 0, redis: 0 };
  const hit: Record<Target, () => Promise<void>> = {
    async worker() {
      append(journal, { step: 'killed', pid: await workers.killOne(random.below(workerCount)) });
    },
    async receiver() {
      await receivers.killOne(0);
    },
    async redis() {
      await redis.kill();
      await sleep(random.below(300));
      await redis.start();
    },
  };
  let strikes = 0;
  return {
    kills,
    async strike() {
      const target = TARGETS[strikes] ?? random.pick(WEIGHTED);
      strikes += 1;
      await sleep(random.below(250));
      await hit[target]();
      kills[target] += 1;
    },
  };
};
