import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FailingSeed, Failure } from './failure.ts';
import type { Mutant } from './mutants/mutant.ts';
import type { SeedsReport, SeedsTask } from './seeds-worker.ts';

/** The result of many seeds. */
export interface SeedsResult {
  readonly seeds: number;
  readonly events: number;
  readonly seconds: number;
  /** Seconds of CPU, of all threads. */
  readonly cpuSeconds: number;
  /** The number of seeds that are known to fail; those in `failures` have been shrunk, too. */
  readonly failed: number;
  readonly failures: readonly Failure[];
}

export interface SeedsOptions {
  readonly from: number;
  readonly count: number;
  readonly threads: number;
  /** A fault to put into the code. Then the first failure ends the run, and is not shrunk. */
  readonly mutant?: Mutant | undefined;
  /** Called after some seeds, with the numbers so far. */
  readonly onProgress?: ((soFar: SeedsResult) => void) | undefined;
  /** Called as soon as a seed fails, before its scenario is shrunk. */
  readonly onFailing?: ((failing: FailingSeed) => void) | undefined;
}

const cpuSecondsSince = (start: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000_000;
};

/** Failures after which the rest of the seeds is left out: they probably have the same cause. */
const ENOUGH = 3;

/** The seeds of each thread: no thread without a seed. */
export const shareSeeds = ({ from, count, threads, mutant }: SeedsOptions): SeedsTask[] => {
  const stride = Math.min(threads, count);
  return Array.from({ length: stride }, (_, index) => ({
    from: from + index,
    to: from + count - 1,
    stride,
    mutant,
  }));
};

/**
 * Runs seeds on several threads.
 *
 * @throws {@link Error} When a thread ends before it has run all its seeds.
 */
export const runSeeds = async (options: SeedsOptions): Promise<SeedsResult> => {
  const { count, mutant, onProgress = () => {}, onFailing = () => {} } = options;
  const startedAt = performance.now();
  const cpuAtStart = process.cpuUsage();
  const failures: Failure[] = [];
  const enough = mutant === undefined ? ENOUGH : 1;
  let seeds = 0;
  let events = 0;
  let failed = 0;
  let stopped = false;
  const soFar = (): SeedsResult => ({
    seeds,
    events,
    seconds: (performance.now() - startedAt) / 1_000,
    cpuSeconds: cpuSecondsSince(cpuAtStart),
    failed,
    failures,
  });

  const workers = shareSeeds(options).map(
    (task) => new Worker(join(import.meta.dirname, 'seeds-worker.ts'), { workerData: task }),
  );
  const stop = (): void => {
    stopped = true;
    for (const worker of workers) {
      void worker.terminate();
    }
  };
  const ended = workers.map(
    (worker) =>
      new Promise<void>((resolve, reject) => {
        let unfinished: number | undefined;
        let cause: unknown;
        worker.on('error', (error) => {
          cause = error;
        });
        worker.on('exit', (code) => {
          if (code === 0 || stopped) {
            resolve();
          } else {
            const place = unfinished === undefined ? 'before its first seed' : `in seed ${unfinished}`;
            reject(new Error(`A thread ended ${place}, with exit code ${code}.`, { cause }));
          }
        });
        worker.on('message', (report: SeedsReport) => {
          seeds += report.seeds;
          events += report.events;
          unfinished = report.unfinished;
          if (report.failing !== undefined) {
            failed += 1;
            onFailing(report.failing);
          }
          if (report.failure !== undefined) {
            failures.push(report.failure);
          }
          onProgress(soFar());
          if (failures.length >= enough) {
            stop();
          }
        });
      }),
  );
  await Promise.all(ended).finally(stop);
  const result = soFar();
  if (seeds < count && failures.length < enough) {
    throw new Error(`Only ${seeds} of ${count} seeds ran.`);
  }
  return result;
};
