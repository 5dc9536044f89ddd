import type { Delivery } from '@confab/webhooks';
import type { DeliveryQueue } from '../src/queue.ts';
import { addJob, jobIdOf } from '../src/queue.ts';
import { startReceiver } from '../src/start-receiver.ts';
import { stopOnSignal } from '../src/stop-on-signal.ts';
import { TWICE } from './deliveries.ts';
import type { EntryArgument } from './entry.ts';
import { readArgument, reportReady } from './entry.ts';

/** The argument of a receiver. */
export interface ReceiverArgument extends EntryArgument {
  readonly port: number;
}

/** Queues may run a job twice. For some deliveries, this one does so each time, in two workers at once. */
const add = (queue: DeliveryQueue, delivery: Delivery): Promise<unknown> => {
  const { body } = delivery.data as { readonly body: string };
  if (!body.endsWith(TWICE)) {
    return addJob(queue, delivery);
  }
  const jobId = jobIdOf(delivery);
  const copies = [jobId, `${jobId}-again`].map((id) => ({
    name: delivery.event,
    data: delivery,
    opts: { jobId: id },
  }));
  return queue.addBulk(copies);
};

// The receiver of the example, with shorter waits.
const receiver = await startReceiver({ ...readArgument<ReceiverArgument>(), add, backoffMs: 200 });
stopOnSignal(receiver.stop);
reportReady(receiver.port);
