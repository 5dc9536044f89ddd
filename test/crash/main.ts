/**
 * Kills the receiver, the workers and Redis of the BullMQ example again and again while deliveries arrive, and then checks
 * that no delivery was lost and none was handled twice. Prints what happened; exits with 1 if a promise was broken.
 */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRedisServer } from '@confab/internal/test-support';
import { signedRequest } from '@confab/webhooks';
import { program } from 'commander';
import { Redis } from 'ioredis';
import { ATTEMPTS, createQueue, DELIVERY_ID, signature } from '../../examples/webhooks-bullmq/src/queue.ts';
import type { Kind } from './judge.ts';
import { judge, parseEntry } from './judge.ts';

const WORKERS = 3;
const { deliveries: size } = program
  .name('pnpm --dir test crash')
  .option('--deliveries <count>', 'deliveries to send', Number, 500)
  .parse()
  .opts<{ deliveries: number }>();

const folder = mkdtempSync(join(tmpdir(), 'confab-crash-'));
const journal = join(folder, 'journal');
mkdirSync(join(folder, 'redis'));
const secret = randomBytes(24).toString('hex');
const redis = await createRedisServer(join(folder, 'redis'));
process.once('exit', () => redis.kill());
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => process.exit(1));
}

// The processes report lost connections and failed handlers, as expected.
const log = openSync(join(folder, 'log'), 'a');
let stopping = false;

/** Starts a receiver or a worker. Resolves once it is ready. */
const start = async (role: 'receiver' | 'worker', port = 0) => {
  const argument = JSON.stringify({ role, folder, secret, redisUrl: redis.url, port });
  const child = fork(join(import.meta.dirname, 'child.ts'), [argument], {
    stdio: ['ignore', log, log, 'ipc'],
  });
  child.once('exit', (code, signal) => {
    if (signal !== 'SIGKILL' && !(stopping && code === 0)) {
      console.error(`BROKEN: A ${role} ended by itself with ${signal ?? code}. See ${folder}.`);
      process.exit(1);
    }
  });
  const [listening] = (await once(child, 'message')) as [number];
  return { child, port: listening };
};
let receiver = await start('receiver');
const workers = await Promise.all(Array.from({ length: WORKERS }, () => start('worker')));

const endProcess = async ({ child }: typeof receiver, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
  child.kill(signal);
  await once(child, 'exit');
  appendFileSync(journal, signal === 'SIGKILL' ? `killed ${child.pid} \n` : '');
};

const kills = { worker: 0, receiver: 0, redis: 0 };
/** Kills a process of each kind, and starts it again. */
const restart: Record<keyof typeof kills, () => Promise<void>> = {
  async worker() {
    const [killed] = workers.splice(Math.floor(Math.random() * WORKERS), 1) as [typeof receiver];
    await endProcess(killed, 'SIGKILL');
    workers.push(await start('worker'));
  },
  async receiver() {
    await endProcess(receiver, 'SIGKILL');
    receiver = await start('receiver', receiver.port);
  },
  async redis() {
    await redis.kill();
    await sleep(Math.random() * 300);
    await redis.start();
  },
};
/** Each kind is killed once, and after that mostly workers, because they have the most to lose. */
const TARGETS = ['worker', 'receiver', 'redis', 'worker', 'worker', 'worker'] as const;

/**
 * 5 % are poison, 10 % flaky. 30 % are sent twice. The queue runs 20 % twice, except for poison, whose copy would become a
 * dead letter too.
 */
const deliveries = Array.from({ length: size }, (_, index) => {
  const fraction = Math.random();
  const kind: Kind = fraction < 0.05 ? 'poison' : fraction < 0.15 ? 'flaky' : 'fine';
  const twice = Math.random() < 0.2 && kind !== 'poison';
  const id = `d${index}`;
  return { id, kind, isSentTwice: Math.random() < 0.3, body: `${kind} ${id}${twice ? ' twice' : ''}` };
});

let requests = 0;
/** Delivers until it gets a 2xx response, as the real service does. */
const deliver = async ({ id, body }: (typeof deliveries)[number]): Promise<void> => {
  for (let accepted = false; !accepted; requests += 1) {
    const event = { event: 'message.created', data: { conversationId: 'c1', channel: 'web', body } };
    const request = await signedRequest(`http://127.0.0.1:${receiver.port}/`, event, { secret, signature });
    request.headers.set(DELIVERY_ID, id);
    const response = await fetch(request, { signal: AbortSignal.timeout(3_000) }).catch(() => undefined);
    if (response !== undefined && !response.ok && response.status < 500) {
      throw new Error(`The receiver refused the genuine delivery ${id} with ${response.status}.`);
    }
    accepted = response?.ok ?? false;
    await sleep(accepted ? 0 : 50 + Math.random() * 250);
  }
};

const batch = Math.min(40, Math.ceil(size / 30));
let duplicates: typeof deliveries = [];
for (let from = 0; from < size; from += batch) {
  const next = deliveries.slice(from, from + batch);
  const number = from / batch;
  const target = TARGETS[number < 3 ? number : Math.floor(Math.random() * TARGETS.length)] ?? 'worker';
  const restartSoon = async () => {
    await sleep(Math.random() * 250);
    await restart[target]();
    kills[target] += 1;
  };
  await Promise.all([restartSoon(), ...[...next, ...duplicates].map(deliver)]);
  // They follow with the next deliveries, when some of their originals are handled.
  duplicates = next.filter(({ isSentTwice }) => isSentTwice);
  console.error(`${from + next.length} of ${size} accepted; kills: ${JSON.stringify(kills)}`);
}
await Promise.all(duplicates.map(deliver));

const client = new Redis(redis.url, { maxRetriesPerRequest: null });
const queue = createQueue(client);
const inQueue = () => queue.getJobCountByTypes('waiting', 'active', 'delayed', 'prioritized');
// A job waits for the lease of a killed worker or for its next attempt. A job that waits two minutes is stuck.
for (const until = Date.now() + 120_000; (await inQueue()) > 0 && Date.now() < until; ) {
  await sleep(200);
}
stopping = true;
await Promise.all([receiver, ...workers].map((process) => endProcess(process, 'SIGTERM')));

const failed = await queue.getFailed();
const { problems, runs, cutOff } = judge({
  deliveries,
  journal: readFileSync(journal, 'utf8').trim().split('\n').map(parseEntry),
  attempts: ATTEMPTS,
  deadLetters: failed.map(({ data, attemptsMade }) => ({
    delivery: data.id.slice(0, -65),
    attempts: attemptsMade,
  })),
});
const keys = await client.keys('confab:webhook:*');
const claims = (await client.mget(['none', ...keys])).filter((claim) => claim && claim !== 'completed');
const left = await inQueue();
if (left + claims.length > 0) {
  problems.push(`${left} jobs are left in the queue, and ${claims.length} deliveries are left claimed.`);
}

console.log(`${size} deliveries in ${requests} requests, in ${performance.now().toFixed(0)} ms
killed: ${kills.worker} workers, ${kills.receiver} receivers, Redis ${kills.redis} times
handlers: ${runs} runs, ${cutOff} cut off; ${failed.length} dead letters`);
for (const problem of problems.slice(0, 20)) {
  console.error(`BROKEN: ${problem}`);
}
if (problems.length === 0) {
  rmSync(folder, { recursive: true });
  console.log('Every delivery was handled, none again, and only those that always fail are dead letters.');
} else {
  console.error(`${problems.length} promises were broken. ${folder} has the journal and the log.`);
}
process.exit(problems.length === 0 ? 0 : 1);
