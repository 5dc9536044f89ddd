import { Redis } from 'ioredis';
import type { DeliveryQueue } from './queue.ts';
import { createQueue } from './queue.ts';

/** Lists the deliveries that failed for good, or puts them back into the queue. */
const PAGE = 100;

const list = async (queue: DeliveryQueue): Promise<void> => {
  console.log(`${await queue.getFailedCount()} dead letters`);
  for (let start = 0; ; start += PAGE) {
    const jobs = await queue.getFailed(start, start + PAGE - 1);
    for (const { id, name, attemptsMade, failedReason } of jobs) {
      console.log(`${id}  ${name}  ${attemptsMade} attempts  ${failedReason}`);
    }
    if (jobs.length < PAGE) {
      return;
    }
  }
};

const retry = async (queue: DeliveryQueue, ids: readonly string[]): Promise<void> => {
  for (const id of ids) {
    const job = await queue.getJob(id);
    if (job === undefined || !(await job.isFailed())) {
      console.error(`${id} is not a dead letter. List them with: dead-letters list`);
      process.exitCode = 1;
      continue;
    }
    await job.retry('failed', { resetAttemptsMade: true });
    console.log(`${id} is in the queue again`);
  }
};

const [command, ...ids] = process.argv.slice(2);
if (command !== 'list' && command !== 'retry') {
  console.error('Usage: dead-letters list | dead-letters retry [id …]. Without ids, all are retried.');
  process.exit(2);
}
const redis = new Redis(process.env.REDIS_URL ?? 'redis://127.0.0.1:6379');
const queue = createQueue(redis);
if (command === 'list') {
  await list(queue);
} else {
  const all = ids.length > 0 ? ids : (await queue.getFailed()).map(({ id = '' }) => id);
  await retry(queue, all);
}
await queue.close();
await redis.quit();
