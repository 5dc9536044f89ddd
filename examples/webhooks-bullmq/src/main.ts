import { randomUUID } from 'node:crypto';
import { signedRequest } from '@confab/webhooks';
import { program } from 'commander';
import { connect, createQueue, DELIVERY_ID, signature } from './queue.ts';
import { startReceiver } from './receiver.ts';
import { startWorker } from './worker.ts';

const redisUrl = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379';
const secret =
  process.env.CONFAB_WEBHOOK_SECRET ??
  program.error('No secret. Set CONFAB_WEBHOOK_SECRET to the secret that you share with the sender.');

/** Stops gracefully on SIGTERM and Ctrl-C. A second signal ends the process at once. */
const stopOnSignal = (stop: () => Promise<void>): void => {
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
};

program.command('receiver').action(async () => {
  const receiver = await startReceiver({ redisUrl, secret, port: Number(process.env.PORT ?? 3_000) });
  console.log(`The receiver listens on http://localhost:${receiver.port}`);
  stopOnSignal(receiver.stop);
});

program.command('worker').action(async () => {
  const worker = await startWorker({
    redisUrl,
    secret,
    addHandlers: (webhooks) => {
      webhooks.on('message.created', ({ data }) => {
        // Shows what happens to a delivery whose handler fails.
        if (data.body === 'fail') {
          throw new Error('The handler failed, as the message asked.');
        }
        console.log(`handled: ${data.body}`);
      });
    },
  });
  console.log('The worker is ready.');
  stopOnSignal(worker.stop);
});

program
  .command('send')
  .description('send one delivery per text, and each of them twice')
  .argument('[texts...]', '', ['Hello', 'fail'])
  .action(async (texts: string[]) => {
    const url = process.env.RECEIVER_URL ?? 'http://localhost:3000';
    for (const body of texts) {
      const id = randomUUID();
      const data = { conversationId: 'c1', channel: 'web', body };
      for (const time of ['first', 'second']) {
        const request = await signedRequest(url, { event: 'message.created', data }, { secret, signature });
        request.headers.set(DELIVERY_ID, id);
        console.log(`${body}, ${time} delivery: ${(await fetch(request)).status}`);
      }
    }
  });

program
  .command('dead-letters')
  .description('list the deliveries that failed every attempt')
  .option('--retry', 'put them back into the queue')
  .action(async ({ retry }: { retry?: true }) => {
    const redis = connect(redisUrl, {});
    const queue = createQueue(redis);
    const jobs = await queue.getFailed();
    console.log(`Dead letters: ${jobs.length}`);
    for (const job of jobs) {
      console.log(`${job.id}  ${job.name}  ${job.attemptsMade} attempts  ${job.failedReason}`);
      if (retry) {
        await job.retry('failed', { resetAttemptsMade: true });
      }
    }
    await queue.close();
    await redis.quit();
  });

await program.parseAsync();
