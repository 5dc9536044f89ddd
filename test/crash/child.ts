/** A receiver or a worker of the example, with shorter waits. A process of its own, which may be killed at any moment. */
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
  /** Where the journal is, and where failures of flaky deliveries are noted. */
  readonly folder: string;
  readonly redisUrl: string;
  readonly secret: string;
  /** Of the receiver; 0 for any free one. */
  readonly port: number;
};

/** Each line is one write, so that it survives the death of its process. An id ends with the digest of the body. */
const record = (step: Entry['step'], id: string) =>
  appendFileSync(join(folder, 'journal'), `${step} ${process.pid} ${id.slice(0, -65)}\n`);

/** Notes a failure in a file, because this process may be killed, and returns how many there were before. */
const noteFailure = (body: string): number => {
  const path = join(folder, `failures of ${body}`);
  appendFileSync(path, '.');
  return readFileSync(path).length - 1;
};

const receive = () =>
  startReceiver({
    ...settings,
    backoffMs: 200,
    /** Queues may run a job twice. For some deliveries, this one does so each time, in two workers at once. */
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
        if (body.startsWith('poison') || (body.startsWith('flaky') && noteFailure(body) < 2)) {
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
    // The longest handler runs for 50 ms. The rest is for restarts of Redis, and for a slow machine.
    leaseSeconds: 15,
    // So few completed jobs are kept that many duplicates get into the queue again.
    options: { lockDuration: 5_000, stalledInterval: 1_000, removeOnComplete: { count: 5 } },
  });

const { stop, port = 0 }: { stop(): Promise<void>; port?: number } = await (role === 'receiver'
  ? receive()
  : work());
process.once('SIGTERM', stop);
process.send?.(port);
// A graceful end must not wait for the parent.
process.channel?.unref();
