import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender } from '../../../scripts/bench/measure.ts';
import { toNodeHandler } from '../dist/adapters/node.js';
import { createWebhooks, sign } from '../dist/index.js';
import { text } from './contenders.ts';

/** Milliseconds that a handler works. */
const WORK = 200;

export const HANDLERS = `handlers that take ${WORK} ms`;
export const QUEUE = '`enqueue`, with the same handlers in a worker';

const options = { secret: 'a secret of the benchmark', signature: { header: 'x-webhook-signature' } };
const headers = await sign(text, options);

const direct = createWebhooks(options);
direct.on('message.created', () => sleep(WORK));

const worker = createWebhooks(options);
worker.on('message.created', () => sleep(WORK));

/** Jobs that the worker runs meanwhile, as a queue would hand them over. */
const jobs = new Set<Promise<void>>();
const queued = createWebhooks({
  ...options,
  enqueue: async (delivery) => {
    const job = worker.process(JSON.parse(JSON.stringify(delivery))).finally(() => jobs.delete(job));
    jobs.add(job);
  },
});

const serve = async (webhooks: typeof direct) => {
  const server = createServer(toNodeHandler(webhooks)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const deliver = async () => {
    const response = await fetch(url, { method: 'POST', body: text, headers });
    await response.arrayBuffer();
    if (response.status !== 200) {
      throw new Error(`status ${response.status}`);
    }
  };
  return { deliver, close: () => server.close() };
};

const servers = { [HANDLERS]: await serve(direct), [QUEUE]: await serve(queued) };

/** Two receivers over HTTP that do the same work, before the response and after it. */
export const receivers = {
  contenders: Object.entries(servers).map(([name, { deliver }]): Contender => ({ name, run: deliver })),
  close: () => {
    for (const { close } of Object.values(servers)) {
      close();
    }
  },
};
