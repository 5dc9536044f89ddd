import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventually, runProcess, startRedisServer } from '@confab/internal/test-support';
import type { Webhooks } from '@confab/webhooks';
import { signedRequest } from '@confab/webhooks';
import { Redis } from 'ioredis';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { DeliveryQueue } from '../src/queue.ts';
import { ATTEMPTS, createQueue, DELIVERY_ID, signature } from '../src/queue.ts';
import { startReceiver } from '../src/receiver.ts';
import { startWorker } from '../src/worker.ts';

const until = <T>(assertion: () => T | Promise<T>): Promise<T> => eventually(assertion, { withinMs: 20_000 });

const secret = randomUUID();

const argumentsOf = (...args: string[]): string[] => [
  '--conditions=@confab/source',
  join(import.meta.dirname, '../src/main.ts'),
  ...args,
];

// The programs report failed attempts and lost connections, as expected.
beforeEach(() => {
  const spy = vi.spyOn(console, 'error').mockImplementation(() => {});
  return () => spy.mockRestore();
});

/** Starts a program of the example, and resolves with its first line. */
const startProgram = async (program: string, env: Record<string, string>) => {
  const child = spawn(process.execPath, argumentsOf(program), {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const lines: string[] = [];
  const reader = createInterface(child.stdout).on('line', (line) => lines.push(line));
  await once(reader, 'line');
  return {
    lines,
    async terminate() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      return (await exited)[0] as number | null;
    },
  };
};

const connect = (url: string): Redis => {
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  redis.on('error', () => {});
  onTestFinished(() => redis.disconnect());
  return redis;
};

/** Starts Redis, and a receiver and a worker in this process, whose handler collects what it runs for. */
const start = async (handle: (body: string) => void = () => {}) => {
  const redis = await startRedisServer();
  const settings = { redisUrl: redis.url, secret };
  const receiver = await startReceiver({ ...settings, port: 0, backoffMs: 1 });
  onTestFinished(receiver.stop);
  const runs: string[] = [];
  const addHandlers = (webhooks: Webhooks) =>
    webhooks.on('message.created', ({ data }) => {
      runs.push(data.body);
      handle(data.body);
    });
  const worker = await startWorker({ ...settings, addHandlers });
  onTestFinished(worker.stop);
  return {
    redis,
    runs,
    queue: createQueue(connect(redis.url)),
    async deliver(body: string): Promise<number> {
      const event = { event: 'message.created', data: { conversationId: 'c1', channel: 'web', body } };
      const url = `http://127.0.0.1:${receiver.port}/`;
      const request = await signedRequest(url, event, { secret, signature });
      request.headers.set(DELIVERY_ID, body);
      return (await fetch(request)).status;
    },
  };
};

/** Waits until these numbers of jobs have completed and failed. */
const settled = (queue: DeliveryQueue, completed: number, failed = 0) =>
  until(async () => expect(await queue.getJobCounts('completed', 'failed')).toEqual({ completed, failed }));

test('the programs handle a delivery that is sent twice once, and end on SIGTERM', async () => {
  const redis = await startRedisServer();
  const env = { REDIS_URL: redis.url, CONFAB_WEBHOOK_SECRET: secret, PORT: '0' };
  const [receiver, worker] = await Promise.all([startProgram('receiver', env), startProgram('worker', env)]);
  const url = /http:\S+/.exec(receiver.lines[0] ?? '')?.[0] ?? '';
  const sent = await runProcess(process.execPath, argumentsOf('send', 'one', 'two'), {
    env: { ...env, RECEIVER_URL: url },
  });
  expect(sent.lines.filter((line) => line.endsWith('delivery: 200'))).toHaveLength(4);
  await until(() => expect(worker.lines).toHaveLength(3));
  expect(await Promise.all([receiver.terminate(), worker.terminate()])).toEqual([0, 0]);
  expect(worker.lines.slice(1).sort()).toEqual(['handled: one', 'handled: two']);
});

test('a delivery that fails every attempt becomes a dead letter, which can be retried', async () => {
  let broken = true;
  const { redis, runs, queue, deliver } = await start((body) => {
    if (broken && body === 'bad') {
      throw new Error('the database is down');
    }
  });
  expect([await deliver('bad'), await deliver('bad'), await deliver('good')]).toEqual([200, 200, 200]);
  await settled(queue, 1, 1);
  expect(runs.filter((body) => body === 'bad')).toHaveLength(ATTEMPTS);

  const deadLetters = (...args: string[]) =>
    runProcess(process.execPath, argumentsOf('dead-letters', ...args), {
      env: { REDIS_URL: redis.url, CONFAB_WEBHOOK_SECRET: secret },
    });
  expect((await deadLetters()).lines).toEqual([
    'Dead letters: 1',
    expect.stringMatching(/^\S+ {2}message.created {2}5 attempts {2}the database is down$/),
  ]);

  broken = false;
  await deadLetters('--retry');
  await settled(queue, 2);
  expect(runs.filter((body) => body === 'bad')).toHaveLength(ATTEMPTS + 1);
});

test('a duplicate whose job is gone is queued again, but not handled again', async () => {
  const { runs, queue, deliver } = await start();
  await deliver('one');
  await settled(queue, 1);
  await queue.clean(0, 0, 'completed');
  await deliver('one');
  await settled(queue, 1);
  expect(runs).toEqual(['one']);
});

test('a delivery in progress in another worker waits without using up an attempt', async () => {
  const { redis, runs, queue, deliver } = await start();
  await deliver('learn the key');
  await settled(queue, 1);
  const [done] = await queue.getCompleted();
  const client = connect(redis.url);
  const id = `one-${done?.data.id.slice(-64)}`;
  await client.set(`confab:webhook:${id}`, 'running:a worker that died');
  await queue.add('message.created', { ...done!.data, id }, { jobId: id });
  await until(async () => expect(await queue.getDelayedCount()).toBe(1));
  await client.del(`confab:webhook:${id}`);
  await settled(queue, 2);
  expect(runs).toHaveLength(2);
  expect((await queue.getJob(id))?.attemptsMade).toBe(1);
});

test('a job that is not a delivery becomes a dead letter after one attempt', async () => {
  const { queue } = await start();
  await queue.add('message.created', {} as never);
  await settled(queue, 0, 1);
  expect((await queue.getFailed())[0]).toMatchObject({ attemptsMade: 1 });
});

test('a delivery gets a 500 while Redis is down, and is handled afterward', async () => {
  const { redis, runs, deliver } = await start();
  await redis.kill();
  expect(await deliver('one')).toBe(500);
  await redis.start();
  await until(async () => expect(await deliver('one')).toBe(200));
  await until(() => expect(runs).toEqual(['one']));
});
