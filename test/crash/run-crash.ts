import { randomBytes } from 'node:crypto';
import { ATTEMPTS } from '../src/queue.ts';
import type { Chaos } from './chaos.ts';
import { createChaos } from './chaos.ts';
import { createDeliveries } from './deliveries.ts';
import { readJournal } from './journal.ts';
import { judge } from './judge.ts';
import type { QueueObserver } from './observe-queue.ts';
import { observeQueue } from './observe-queue.ts';
import { createRandom } from './random.ts';
import type { Sender } from './sender.ts';
import { createSender } from './sender.ts';
import type { ProcessSettings } from './start-processes.ts';
import { startProcesses } from './start-processes.ts';

/** Settings of {@link runCrash}. */
export interface CrashSettings extends Omit<ProcessSettings, 'secret'> {
  readonly deliveries: number;
  readonly seed: number;
}

const PROGRESS_MS = 2_000;

/** How many deliveries arrive between two kills. A short run has 30 kills all the same. */
const batchSize = (deliveries: number): number => Math.min(40, Math.ceil(deliveries / 30));

const killsOf = ({ kills: { worker, receiver, redis } }: Chaos): string =>
  `killed: ${worker} workers, ${receiver} receivers, Redis ${redis} times`;

const showProgress = (total: number, { counts }: Sender, chaos: Chaos, queue: QueueObserver) => {
  const timer = setInterval(async () => {
    const unfinished = await queue.countUnfinished();
    console.log(`${counts.accepted} of ${total} accepted, ${unfinished} in the queue; ${killsOf(chaos)}`);
  }, PROGRESS_MS);
  return { stop: () => clearInterval(timer) };
};

/** Runs the example under fire. Resolves to the promises that were broken. */
export const runCrash = async (settings: CrashSettings): Promise<readonly string[]> => {
  const { seed, journal } = settings;
  const startedAt = performance.now();
  const secret = randomBytes(24).toString('hex');
  const deliveries = createDeliveries(settings.deliveries, createRandom(seed));
  const processes = await startProcesses({ ...settings, secret });
  const queue = observeQueue(processes.redis.url);
  // Numbers of their own, because the order in which both draw depends on the machine.
  const sender = createSender(processes.url, secret, createRandom(seed + 1));
  const chaos = createChaos(processes, journal, createRandom(seed + 2));
  const progress = showProgress(deliveries.length, sender, chaos, queue);

  const size = batchSize(deliveries.length);
  for (let start = 0; start < deliveries.length; start += size) {
    await Promise.all([sender.send(deliveries.slice(start, start + size)), chaos.strike()]);
  }
  await sender.sendRest();
  await processes.ready();
  await queue.drained();
  progress.stop();
  await processes.stop();

  const found = await queue.inspect();
  await queue.close();
  await processes.redis.kill();
  const verdict = judge({ ...found, deliveries, journal: readJournal(journal), attempts: ATTEMPTS });

  const { requests, repeated, duplicates } = sender.counts;
  console.log(
    [
      `${deliveries.length} deliveries in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
      `sent: ${requests} requests; ${repeated} got no 2xx response and were repeated, ${duplicates} were duplicates`,
      killsOf(chaos),
      `handlers: ${verdict.runs} runs, ${verdict.cutOff} cut off; ${verdict.unconfirmed} done but killed before the confirmation of Redis, ${verdict.repeated} of which ran again`,
      `dead letters: ${found.deadLetters.length}`,
    ].join('\n'),
  );
  return [...processes.exits, ...verdict.problems];
};
