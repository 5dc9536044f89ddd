import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DedupeStore } from '@confab/webhooks';
import { redisDedupeStore } from '@confab/webhooks/redis';
import type { AddHandlers } from '../src/options.ts';
import { startWorker } from '../src/start-worker.ts';
import { stopOnSignal } from '../src/stop-on-signal.ts';
import type { Kind } from './deliveries.ts';
import { FLAKY_FAILURES } from './deliveries.ts';
import type { EntryArgument } from './entry.ts';
import { readArgument, reportReady } from './entry.ts';
import type { Step } from './journal.ts';
import { append } from './journal.ts';

/** The argument of a worker. */
export interface WorkerArgument extends EntryArgument {
  readonly journal: string;
  /** The folder where failures of flaky deliveries are noted. */
  readonly failures: string;
  /** How long a killed worker's claim holds. */
  readonly leaseSeconds: number;
  /** How many completed jobs the queue keeps. Later duplicates of other jobs get in again. */
  readonly keptJobs: number;
}

const { journal, failures, leaseSeconds, keptJobs, ...environment } = readArgument<WorkerArgument>();

const record = (step: Step, key: string) =>
  // The key of a delivery is the sender's id, a colon, and the digest of the body.
  append(journal, { step, pid: process.pid, delivery: key.split(':')[0] ?? '' });

/** Notes a failure in a file, because this process may be killed, and returns how many there were before. */
const noteFailure = (body: string): number => {
  const path = join(failures, body);
  appendFileSync(path, '.');
  return readFileSync(path).length - 1;
};

const addHandlers: AddHandlers = (webhooks) => {
  webhooks.on('message.created', async ({ data }, { id = '' }) => {
    const [kind] = data.body.split(' ') as [Kind];
    record('start', id);
    await sleep(5 + Math.random() * 45);
    if (kind === 'poison' || (kind === 'flaky' && noteFailure(data.body) < FLAKY_FAILURES)) {
      record('fail', id);
      throw new Error(`The handler of ${data.body} failed.`);
    }
    record('finish', id);
  });
};

const recording = (store: DedupeStore): DedupeStore => ({
  ...store,
  async complete(key, claim) {
    await store.complete(key, claim);
    record('completed', key);
  },
});

// The worker of the example, with shorter waits.
const worker = await startWorker({
  ...environment,
  addHandlers,
  leaseSeconds,
  createStore: (client) => recording(redisDedupeStore({ client })),
  options: { lockDuration: 5_000, stalledInterval: 1_000, removeOnComplete: { count: keptJobs } },
});
stopOnSignal(worker.stop);
reportReady(process.pid);
