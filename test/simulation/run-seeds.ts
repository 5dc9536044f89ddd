import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Violation } from './sim.ts';

/** The result of a seed. */
interface SeedResult {
  readonly seed: number;
  readonly events: number;
  readonly violation: Violation | undefined;
}

/**
 * Runs seeds on all cores.
 *
 * @throws {@link Error} When a thread ends before it has run all its seeds.
 */
export const runSeeds = async (
  from: number,
  count: number,
  onResult: (result: SeedResult) => void,
): Promise<void> => {
  const to = from + count - 1;
  const stride = Math.min(availableParallelism(), count);
  const runThread = async (first: number): Promise<void> => {
    const file = new URL('./seeds-worker.ts', import.meta.url);
    const worker = new Worker(file, { workerData: { from: first, to, stride } });
    let next = first;
    worker.on('message', (result: SeedResult) => {
      next += stride;
      onResult(result);
    });
    // A run that awaits something which never happens ends its thread without an error.
    const cause = await once(worker, 'exit').catch((error: unknown) => error);
    if (next <= to) {
      throw new Error(`A thread ended in seed ${next}.`, { cause });
    }
  };
  await Promise.all(Array.from({ length: stride }, (_, index) => runThread(from + index)));
};
