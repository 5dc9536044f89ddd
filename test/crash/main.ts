/**
 * Kills the receiver, the workers and Redis of the BullMQ example again and again while deliveries arrive, and then checks
 * that none was lost and none was handled twice. Prints what happened; exits with 1 when a promise was broken.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRedisServer } from '@confab/internal/test-support';
import { signedRequest } from '@confab/webhooks';
import { InvalidArgumentError, program } from 'commander';
import { Redis } from 'ioredis';
import { ATTEMPTS, createQueue, DELIVERY_ID, signature } from '../../examples/webhooks-bullmq/src/queue.ts';
import type { SampleDelivery } from './deliveries.ts';
import { createDeliveries } from './deliveries.ts';
import { append, readJournal, senderIdOf } from './journal.ts';
import { judge } from './judge.ts';
import { supervise } from './supervise.ts';

const count = (text: string): number => {
  if (!/^[1-9]\d{0,5}$/.test(text)) {
    throw new InvalidArgumentError('Give an integer of at least 1.');
  }
  return Number(text);
};
const { deliveries: size, workers: workerCount } = program
  .name('pnpm --dir test crash')
  .option('--deliveries <count>', 'deliveries to send', count, 500)
  .option('--workers <count>', 'workers that share the queue', count, 3)
  .parse()
  .opts<{ deliveries: number; workers: number }>();

const folder = mkdtempSync(join(tmpdir(), 'confab-crash-'));
const journal = join(folder, 'journal');
writeFileSync(journal, '');
mkdirSync(join(folder, 'redis'));
// The exit handlers below end the processes under test.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => process.exit(1));
}

const problems: string[] = [];
const secret = randomBytes(24).toString('hex');
const redis = await createRedisServer(join(folder, 'redis'));
process.once('exit', () => redis.kill());
const start = (role: 'receiver' | 'worker') =>
  supervise({ role, folder, secret, redisUrl: redis.url, port: 0 }, (reason) => problems.push(reason));
const receiver = start('receiver');
const workers = Array.from({ length: workerCount }, () => start('worker'));
const allReady = () => Promise.all([receiver, ...workers].map((process) => process.ready()));
const [port] = await allReady();

/** Delivers until it gets a 2xx response, as the real service does. */
let requests = 0;
const deliver = async ({ id, body }: SampleDelivery): Promise<void> => {
  for (;;) {
    const event = { event: 'message.created', data: { conversationId: 'c1', channel: 'web', body } };
    const request = await signedRequest(`http://127.0.0.1:${port}/`, event, { secret, signature });
    request.headers.set(DELIVERY_ID, id);
    requests += 1;
    const response = await fetch(request, { signal: AbortSignal.timeout(3_000) }).catch(() => undefined);
    if (response?.ok) {
      return;
    }
    if (response !== undefined && response.status < 500) {
      throw new Error(`The receiver refused the genuine delivery ${id} with ${response.status}.`);
    }
    await sleep(50 + Math.random() * 250);
  }
};

const kills = { worker: 0, receiver: 0, redis: 0 };
const killOne: Record<keyof typeof kills, () => Promise<unknown>> = {
  worker: async () => {
    const pid = await workers[Math.floor(Math.random() * workerCount)]?.kill();
    append(journal, { step: 'killed', pid: pid ?? 0 });
  },
  receiver: () => receiver.kill(),
  redis: async () => {
    await redis.kill();
    await sleep(Math.random() * 300);
    await redis.start();
  },
};
/** Each is killed once, and workers most often after that, because they have the most to lose. */
const TARGETS = ['worker', 'receiver', 'redis', 'worker', 'worker', 'worker'] as const;

const deliveries = createDeliveries(size);
const batch = Math.min(40, Math.ceil(size / 30));
let duplicates: SampleDelivery[] = [];
for (let from = 0; from < size; from += batch) {
  const next = deliveries.slice(from, from + batch);
  const strikes = from / batch;
  const target = TARGETS[strikes < 3 ? strikes : Math.floor(Math.random() * TARGETS.length)] ?? 'worker';
  const strike = async () => {
    await sleep(Math.random() * 250);
    await killOne[target]();
    kills[target] += 1;
  };
  await Promise.all([strike(), ...[...next, ...duplicates].map(deliver)]);
  // They follow with the next deliveries, when some of their originals are handled.
  duplicates = next.filter(({ duplicate }) => duplicate);
  console.error(`${from + next.length} of ${size} accepted; kills: ${JSON.stringify(kills)}`);
}
await Promise.all(duplicates.map(deliver));
await allReady();

const client = new Redis(redis.url, { maxRetriesPerRequest: null });
const queue = createQueue(client);
const inQueue = () => queue.getJobCounts('waiting', 'active', 'delayed', 'prioritized');
const total = async () => Object.values(await inQueue()).reduce((sum, jobs) => sum + jobs, 0);
// A job waits for the lease of a killed worker, or for its next attempt. What stays for two minutes is stuck.
for (const end = Date.now() + 120_000; (await total()) > 0 && Date.now() < end; ) {
  await sleep(200);
}
for (const child of [receiver, ...workers]) {
  const code = await child.stop();
  if (code !== 0) {
    problems.push(`A process ended with ${code} on SIGTERM.`);
  }
}
const keys = await client.keys('confab:webhook:*');
const claims = keys.length === 0 ? [] : await client.mget(keys);
const failed = await queue.getFailed();
const verdict = judge({
  deliveries,
  journal: readJournal(journal),
  attempts: ATTEMPTS,
  unfinished: { ...(await inQueue()), claimed: claims.filter((claim) => claim !== 'completed').length },
  deadLetters: failed.map(({ data, attemptsMade }) => ({
    delivery: senderIdOf(data.id),
    attempts: attemptsMade,
  })),
});
problems.push(...verdict.problems);
await queue.close();
client.disconnect();
await redis.kill();

console.log(`${size} deliveries in ${requests} requests, in ${performance.now().toFixed(0)} ms
killed: ${kills.worker} workers, ${kills.receiver} receivers, Redis ${kills.redis} times
handlers: ${verdict.runs} runs, ${verdict.cutOff} cut off; ${verdict.unconfirmed} done but killed before the confirmation of Redis, ${verdict.repeated} of which ran again
dead letters: ${failed.length}`);
for (const problem of problems.slice(0, 20)) {
  console.error(`BROKEN: ${problem}`);
}
if (problems.length === 0) {
  rmSync(folder, { recursive: true });
  console.log('Every delivery was handled, none again, and only those that always fail are dead letters.');
} else {
  console.error(`${problems.length} promises were broken. ${folder} has the journal and the logs.`);
}
process.exit(problems.length === 0 ? 0 : 1);
