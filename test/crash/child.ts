/** Runs a receiver or a worker of the BullMQ example, with shorter waits, in a process that may be killed at any moment. */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { redisDedupeStore } from '@confab/webhooks/redis';
import { addJob } from '../../examples/webhooks-bullmq/src/queue.ts';
import { startReceiver } from '../../examples/webhooks-bullmq/src/receiver.ts';
import { startWorker } from '../../examples/webhooks-bullmq/src/worker.ts';
import type { Entry } from './judge.ts';

process.once('disconnect', () => process.exit(1));
const { role, folder, ...settings } = JSON.parse(process.argv[2] ?? '') as {
  readonly role: 'receiver' | 'worker';
  /** The folder of the journal, and of the files that count the failures of flaky deliveries. */
  readonly folder: string;
  readonly redisUrl: string;
  readonly secret: string;
  /** The port of the receiver; 0 for any free port. */
  readonly port: number;
};

/** Writes each line at once, so that it survives a kill. The end of an id is the digest of the body, which is left out. */
const record = (step: Entry['step'], id: string) =>
  appendFileSync(join(folder, 'journal'), `${step} ${process.pid} ${id.slice(0, -65)}\n`);

/** Counts a failure in a file, which survives a kill, and returns how many there were before. */
const countFailure = (body: string): number => {
  const path = join(folder, `failures of ${body}`);
  appendFileSync(path, '.');
  return readFileSync(path).length - 1;
};

const receive = () =>
  startReceiver({
    ...settings,
    backoffMs: 200,
    /** A queue may run a job twice. Here, this happens to some deliveries, in two workers at once. */
    async add(queue, delivery) {
      const { body } = delivery.data as { readonly body: string };
      const again = { name: delivery.event, data: delivery, opts: { jobId: `${delivery.id}-again` } };
      return Promise.all([
        addJob(queue, delivery),
        ...(body.endsWith('twice') ? [queue.addBulk([again])] : []),
      ]);
    },
  });

const work = () =>
  startWorker({
    ...settings,
    addHandlers: (webhooks) =>
      webhooks.on('message.created', async ({ data: { body } }, { id = '' }) => {
        record('start', id);
        await sleep(5 + Math.random() * 45);
        if (body.startsWith('poison') || (body.startsWith('flaky') && countFailure(body) < 2)) {
          record('fail', id);
          throw new Error(`The handler of ${body} failed.`);
        }
        record('finish', id);
      }),
    createStore(client) {
      const store = redisDedupeStore({ client });
      return {
        ...store,
        async complete(key, claim) {
          await store.complete(key, claim);
          record('completed', key);
        },
      };
    },
    // The longest handler runs for 50 ms. The rest covers restarts of Redis and a slow machine.
    leaseSeconds: 15,
    // Only few completed jobs are kept, so that many duplicates get into the queue again.
    options: { lockDuration: 5_000, stalledInterval: 1_000, removeOnComplete: { count: 5 } },
  });

const { stop, port = 0 }: { stop(): Promise<void>; port?: number } = await (role === 'receiver'
  ? receive()
  : work());
process.once('SIGTERM', stop);
process.send?.(port);
// A graceful end must not wait for the parent.
process.channel?.unref();
