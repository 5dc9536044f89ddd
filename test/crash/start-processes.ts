import { join } from 'node:path';
import { createRedisServer } from '@confab/internal/test-support';
import type { Processes } from './chaos.ts';
import { startFleet } from './fleet.ts';
import type { ReceiverArgument } from './receiver.ts';
import type { WorkerArgument } from './worker.ts';

/** Settings of {@link startProcesses}. */
export interface ProcessSettings {
  readonly secret: string;
  readonly workers: number;
  /** For the files of Redis, and for what the processes print. */
  readonly folder: string;
  readonly journal: string;
}

/** The processes under test, when all are ready. */
export interface StartedProcesses extends Processes {
  readonly url: string;
  /** Problems so far: processes that ended by themselves. */
  readonly exits: readonly string[];
  /** Resolves once every process that was killed has a successor. */
  ready(): Promise<void>;
  /** Ends all but Redis with SIGTERM. */
  stop(): Promise<void>;
}

/** The longest handler runs for 50 ms. The rest is for restarts of Redis, and for a slow machine. */
const LEASE_SECONDS = 15;

/** So few that many duplicates get into the queue again. */
const KEPT_JOBS = 5;

/** A program that cannot start must not be started forever. */
const MOST_EXITS = 20;

/** Starts Redis, a receiver and workers. */
export const startProcesses = async ({
  secret,
  workers: workerCount,
  folder,
  journal,
}: ProcessSettings): Promise<StartedProcesses> => {
  const exits: string[] = [];
  const onExit = (reason: string) => {
    if (exits.push(reason) > MOST_EXITS) {
      throw new Error(`The processes under test keep ending. ${reason} See ${folder}.`);
    }
  };
  const redis = await createRedisServer(join(folder, 'redis'));
  process.once('exit', () => redis.kill());

  const shared = { redisUrl: redis.url, secret };
  // The first receiver finds a free port, which its successors use again.
  let port = 0;
  const receiver = (): ReceiverArgument => ({ ...shared, port });
  const worker = (): WorkerArgument => ({
    ...shared,
    journal,
    failures: join(folder, 'failures'),
    leaseSeconds: LEASE_SECONDS,
    keptJobs: KEPT_JOBS,
  });
  const receivers = startFleet({ program: 'receiver', size: 1, argument: receiver, folder, onExit });
  const workers = startFleet({ program: 'worker', size: workerCount, argument: worker, folder, onExit });
  port = await receivers.ready();
  await workers.ready();

  return {
    redis,
    receivers,
    workers,
    workerCount,
    exits,
    url: `http://127.0.0.1:${port}/`,
    async ready() {
      await Promise.all([receivers.ready(), workers.ready()]);
    },
    async stop() {
      const codes = [...(await receivers.stop()), ...(await workers.stop())];
      exits.push(
        ...codes.filter((code) => code !== 0).map((code) => `A process ended with ${code} on SIGTERM.`),
      );
    },
  };
};
