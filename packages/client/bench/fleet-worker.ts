/** One process of the fleet: it makes its share of the calls, and says how many of them failed. */
import Bottleneck from 'bottleneck';
import { createClient as createRedis } from 'redis';
import { redisRateLimit } from '../dist/redis/index.js';
import { createKy, createOurs, reads } from './clients.ts';
import { PROCESSES } from './fleet.ts';
import { CALLS, CAP, WINDOW, WORKERS, work } from './work.ts';

const [, , name = '', url = '', redisUrl = ''] = process.argv;
const target = { url, key: name };

interface Connection {
  readonly call: () => Promise<unknown>;
  /** Sends what is still to be sent. Places of a process that is gone at once stay taken until their leases end. */
  readonly close: () => Promise<unknown>;
}

const connectOurs = async (): Promise<Connection> => {
  const client = await createRedis({ url: redisUrl }).connect();
  const rateLimit = redisRateLimit({ client, requests: CAP, perMs: WINDOW });
  const call = reads.ours(createOurs(target, { rateLimit, concurrency: WORKERS }));
  return { call, close: () => client.close() };
};

/** Its own sliding-window settings do not exist; a reservoir that is refilled once a window is what its guide shows. */
const connectBottleneck = async (): Promise<Connection> => {
  const limiter = new Bottleneck({
    id: name,
    datastore: 'ioredis',
    clearDatastore: false,
    clientOptions: redisUrl,
    reservoir: CAP,
    reservoirRefreshAmount: CAP,
    reservoirRefreshInterval: WINDOW,
  });
  await limiter.ready();
  const read = reads.ky(createKy(target));
  return { call: () => limiter.schedule(read), close: () => limiter.disconnect() };
};

const { call, close } = await (name === 'bottleneck' ? connectBottleneck() : connectOurs());
process.send?.('ready');
process.once('message', async () => {
  const failed = await work(call, { calls: CALLS / PROCESSES, workers: WORKERS });
  await close();
  process.send?.(failed, () => process.exit());
});
