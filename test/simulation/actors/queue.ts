import type { Delivery } from '@confab/webhooks';
import { WebhookError } from '@confab/webhooks';
import type { Machine } from '../clock/machine.ts';
import type { Sim } from '../sim.ts';

/** A process that works on jobs. */
export interface Worker {
  readonly machine: Machine;
  process(delivery: Delivery): Promise<void>;
}

/** A durable queue that delivers each job at least once. */
export interface Queue {
  /** Keeps a delivery. It resolves once the queue has it. */
  add(machine: Machine, delivery: Delivery): Promise<void>;
  /** The number of jobs that have not succeeded. */
  readonly jobs: number;
}

/** Milliseconds after which a job that no worker has finished is given to another one. */
const VISIBLE_AFTER = 30_000;

/** Milliseconds before a job that failed runs again. */
const RETRY_AFTER = 2_000;

/** The probability that the queue gives a job to two workers, and the milliseconds between them. */
const TWICE = 0.1;
const TWICE_AFTER = 30;

/** Creates an empty queue. */
export const createQueue = (sim: Sim, workers: readonly Worker[]): Queue => {
  /** The job text of each number, and how often it was given to a worker. */
  const jobs = new Map<number, { readonly text: string; turn: number }>();
  let added = 0;

  const runOn = (worker: Worker, job: number, text: string, failed: () => void): void => {
    const { machine } = worker;
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
    worker.process(JSON.parse(text)).then(() => finished(undefined), finished);
  };

  const dispatch = (job: number, after: number): void => {
    sim.timeline.after(after, 'event', () => {
      const entry = jobs.get(job);
      if (entry === undefined) {
        return;
      }
      entry.turn += 1;
      const { turn, text } = entry;
      const random = sim.random(`queue/${job}/${turn}`);
      const awake = workers.filter(({ machine }) => machine.alive);
      /** Tries again, unless another turn has begun. */
      const again = (ms: number) =>
        sim.timeline.after(ms, 'event', () => jobs.get(job)?.turn === turn && dispatch(job, 0));
      // A worker that crashes says nothing.
      again(awake.length === 0 ? RETRY_AFTER : VISIBLE_AFTER);
      if (awake.length > 0) {
        runOn(random.pick(awake), job, text, () => again(RETRY_AFTER));
      }
      const other = workers.find(({ machine }) => machine.alive);
      if (other !== undefined && random.chance(TWICE)) {
        sim.timeline.after(TWICE_AFTER, 'event', () => runOn(other, job, text, () => {}));
      }
    });
  };

  return {
    async add(machine, delivery) {
      await machine.work(1);
      added += 1;
      jobs.set(added, { text: JSON.stringify(delivery), turn: 0 });
      sim.log(`${machine.name} queues ${delivery.id} as job ${added}`);
      dispatch(added, 0);
    },
    get jobs() {
      return jobs.size;
    },
  };
};
