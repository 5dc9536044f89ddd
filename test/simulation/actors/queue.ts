import type { Delivery } from '@confab/webhooks';
import { WebhookError } from '@confab/webhooks';
import type { Machine } from '../clock/machine.ts';
import type { Sim } from '../sim.ts';

/** A process that works on jobs. */
interface Worker {
  readonly machine: Machine;
  process(delivery: Delivery): Promise<void>;
}

/** Milliseconds after which an unfinished job, and a failed one, is given to a worker again. */
const VISIBLE_AFTER = 30_000;
const RETRY_AFTER = 2_000;

/** The probability that the queue gives a job to two workers, and the milliseconds between them. */
const TWICE = 0.1;
const TWICE_AFTER = 30;

/** Creates a durable queue that gives each job to a worker at least once. */
export const createQueue = (sim: Sim, workers: readonly Worker[]) => {
  /** The JSON of each job that has not succeeded, and how often the job was given to a worker. */
  const jobs = new Map<number, { readonly text: string; turn: number }>();
  let added = 0;

  const runOn = ({ machine, process }: Worker, job: number, text: string, failed: () => void): void => {
    sim.log(`${machine.name} takes job ${job}`);
    const finished = machine.guard((error: unknown) => {
      sim.log(`${machine.name} ends job ${job}: ${error instanceof WebhookError ? error.code : 'done'}`);
      if (error === undefined) {
        jobs.delete(job);
      } else if (error instanceof WebhookError && error.code !== 'INVALID_EVENT') {
        failed();
      } else {
        sim.fail('expected', `Job ${job} failed with ${String(error)}`);
      }
    });
    process(JSON.parse(text)).then(() => finished(undefined), finished);
  };

  const dispatch = (job: number): void => {
    const entry = jobs.get(job);
    if (entry === undefined) {
      return;
    }
    entry.turn += 1;
    const { turn, text } = entry;
    const random = sim.random(`queue/${job}/${turn}`);
    /** Dispatches the job again, unless that has already happened. */
    const again = (ms: number) => sim.after(ms, () => jobs.get(job)?.turn === turn && dispatch(job));
    const [first, ...others] = workers.filter(({ machine }) => machine.alive);
    if (first === undefined) {
      again(RETRY_AFTER);
      return;
    }
    // A worker that crashes reports nothing.
    again(VISIBLE_AFTER);
    runOn(random.pick([first, ...others]), job, text, () => again(RETRY_AFTER));
    if (random.chance(TWICE)) {
      sim.after(TWICE_AFTER, () => runOn(first, job, text, () => {}));
    }
  };

  return {
    /** Keeps a delivery. It resolves once the queue has it. */
    async add(machine: Machine, delivery: Delivery): Promise<void> {
      await machine.work(1);
      added += 1;
      const job = added;
      jobs.set(job, { text: JSON.stringify(delivery), turn: 0 });
      sim.log(`${machine.name} queues ${delivery.id} as job ${job}`);
      sim.after(0, () => dispatch(job));
    },
    /** The number of jobs that have not succeeded. */
    get jobs() {
      return jobs.size;
    },
  };
};
