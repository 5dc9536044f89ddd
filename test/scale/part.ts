/** A receiver or a worker in a process of its own, which tells how much CPU it took. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWebhooks } from '@confab/webhooks';
import { toNodeHandler } from '@confab/webhooks/node';
import { redisDedupeStore } from '@confab/webhooks/redis';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';

/** What a part has done so far. */
export interface PartFigures {
  /** The port of a receiver. */
  readonly port: number;
  /** Deliveries that a worker has handled. */
  readonly handled: number;
  readonly cpuMs: number;
}

const [, , kind, redisUrl = '', secret = ''] = process.argv;
const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
const settings = {
  secret,
  signature: { header: 'x-webhook-signature' },
  dedupe: {
    key: ({ headers }: { readonly headers: Headers }) => headers.get('x-delivery-id') ?? undefined,
    store: redisDedupeStore({ client: connection }),
  },
};
let [port, handled] = [0, 0];
if (kind === 'receiver') {
  const queue = new Queue('deliveries', { connection });
  const webhooks = createWebhooks({
    ...settings,
    enqueue: (delivery) => queue.add(delivery.event, delivery, { attempts: 5 }),
  });
  const server = createServer(toNodeHandler(webhooks)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
} else {
  const webhooks = createWebhooks(settings);
  webhooks.onAny(() => {
    handled += 1;
  });
  new Worker('deliveries', ({ data }) => webhooks.process(data), { connection, concurrency: 10 });
}

const tell = (): void => {
  const { user, system } = process.cpuUsage();
  process.send?.({ port, handled, cpuMs: (user + system) / 1_000 } satisfies PartFigures);
};
process.on('message', tell);
process.on('disconnect', () => process.exit());
tell();
