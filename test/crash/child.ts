/** A receiver or a worker of the example, with shorter waits. A process of its own, which may be killed at any moment. */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DedupeStore, Webhooks } from '@confab/webhooks';
import { redisDedupeStore } from '@confab/webhooks/redis';
import { addJob } from '../../examples/webhooks-bullmq/src/queue.ts';
import { startReceiver } from '../../examples/webhooks-bullmq/src/receiver.ts';
import { startWorker } from '../../examples/webhooks-bullmq/src/worker.ts';
import type { Kind } from './deliveries.ts';
import { TWICE } from './deliveries.ts';
import type { Step } from './journal.ts';
import { append, senderIdOf } from './journal.ts';

/** What the process does, and with what. */
export interface ChildArgument {
  readonly role: 'receiver' | 'worker';
  readonly redisUrl: string;
  readonly secret: string;
  /** Of the receiver; 0 for any free one. */
  readonly port: number;
  /** Where the journal is, and where failures of flaky deliveries are noted. */
  readonly folder: string;
}

const { role, folder, ...settings } = JSON.parse(process.argv[2] ?? '') as ChildArgument;

const record = (step: Step, key: string) =>
  append(join(folder, 'journal'), { step, pid: process.pid, delivery: senderIdOf(key) });

/** Queues may run a job twice. For some deliveries, this one does so each time, in two workers at once. */
const add: typeof addJob = (queue, delivery) => {
  const { body } = delivery.data as { readonly body: string };
  const again = { name: delivery.event, data: delivery, opts: { jobId: `${delivery.id}-again` } };
  return Promise.all([addJob(queue, delivery), ...(body.endsWith(TWICE) ? [queue.addBulk([again])] : [])]);
};

/** Notes a failure in a file, because this process may be killed, and returns how many there were before. */
const noteFailure = (body: string): number => {
  const path = join(folder, `failures of ${body}`);
  appendFileSync(path, '.');
  return readFileSync(path).length - 1;
};

const addHandlers = (webhooks: Webhooks): void => {
  webhooks.on('message.created', async ({ data }, { id = '' }) => {
    const [kind] = data.body.split(' ') as [Kind];
    record('start', id);
    await sleep(5 + Math.random() * 45);
    if (kind === 'poison' || (kind === 'flaky' && noteFailure(data.body) < 2)) {
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

const start = async (): Promise<{ stop(): Promise<void>; port?: number }> =>
  role === 'receiver'
    ? startReceiver({ ...settings, add, backoffMs: 200 })
    : startWorker({
        ...settings,
        addHandlers,
        createStore: (client) => recording(redisDedupeStore({ client })),
        // The longest handler runs for 50 ms. The rest is for restarts of Redis, and for a slow machine.
        leaseSeconds: 15,
        // So few completed jobs are kept that many duplicates get into the queue again.
        options: { lockDuration: 5_000, stalledInterval: 1_000, removeOnComplete: { count: 5 } },
      });

const { stop, port = 0 } = await start();
process.once('SIGTERM', stop);
process.once('disconnect', () => process.exit(1));
process.send?.(port);
// A graceful end must not wait for the supervisor.
process.channel?.unref();
