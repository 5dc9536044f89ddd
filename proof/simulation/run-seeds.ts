import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Failure } from './failure.ts';
import type { SeedsReport, SeedsTask } from './seeds-worker.ts';

/** The result of many seeds. */
export interface SeedsResult {
  readonly seeds: number;
  readonly events: number;
  readonly seconds: number;
  /** Seconds of CPU, of all threads. */
  readonly cpuSeconds: number;
  readonly failures: readonly Failure[];
}

export interface SeedsOptions {
  readonly from: number;
  readonly count: number;
  readonly threads: number;
  readonly mutant?: string | undefined;
  /** Called after some seeds, with the numbers so far. */
  readonly onProgress?: ((soFar: SeedsResult) => void) | undefined;
}

const cpuSecondsSince = (start: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000_000;
};

/** Failures after which the rest of the seeds is left out: they probably have the same cause. */
const ENOUGH = 3;

/** Runs seeds on several threads. */
export const runSeeds = async (options: SeedsOptions): Promise<SeedsResult> => {
  const { from, count, threads, mutant, onProgress = () => {} } = options;
  const startedAt = performance.now();
  const cpuAtStart = process.cpuUsage();
  const failures: Failure[] = [];
  let seeds = 0;
  let events = 0;
  const soFar = (): SeedsResult => ({
    seeds,
    events,
    seconds: (performance.now() - startedAt) / 1_000,
    cpuSeconds: cpuSecondsSince(cpuAtStart),
    failures,
  });

  const workers = Array.from({ length: threads }, (_, index) => {
    const task: SeedsTask = { from: from + index, to: from + count - 1, stride: threads, mutant };
    return new Worker(join(import.meta.dirname, 'seeds-worker.ts'), { workerData: task });
  });
  const ended = workers.map(
    (worker) =>
      new Promise<void>((resolve, reject) => {
        worker.on('error', reject);
        worker.on('exit', () => resolve());
        worker.on('message', (report: SeedsReport) => {
          seeds += report.seeds;
          events += report.events;
          if (report.failure !== undefined) {
            failures.push(report.failure);
          }
          onProgress(soFar());
          if (failures.length >= ENOUGH || (mutant !== undefined && failures.length > 0)) {
            for (const each of workers) {
              void each.terminate();
            }
          }
        });
      }),
  );
  await Promise.all(ended);
  return soFar();
};
