import type { RedisServer } from '@confab/internal/test-support';
import { eventually, restRedisClient, startRedisServer } from '@confab/internal/test-support';
import { Redis } from 'ioredis';
import { createClient as createNodeRedis } from 'redis';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Logger } from '../src/index.ts';
import { ConfigurationError } from '../src/index.ts';
import type { RedisRateLimitOptions } from '../src/redis/index.ts';
import { redisRateLimit } from '../src/redis/index.ts';
import { clientWith } from './support/client.ts';
import { lead } from './support/data.ts';
import { createGate } from './support/gate.ts';

type RedisClient = RedisRateLimitOptions['client'];

/** The two Redis clients that people use, with their default options. */
const clients: Readonly<Record<string, (server: RedisServer) => Promise<RedisClient>>> = {
  redis: async ({ url }) => {
    const client = createNodeRedis({ url });
    onTestFinished(() => client.destroy());
    return client.connect();
  },
  ioredis: async ({ port }) => {
    const client = new Redis({ port, host: '127.0.0.1' });
    onTestFinished(() => client.disconnect());
    return client;
  },
};

const respond = async () => Response.json({ success: true, data: lead });

const refuse = (retryAfter: string) =>
  Response.json(
    { success: false, error: 'Too many requests', code: 'RATE_LIMIT_EXCEEDED' },
    { status: 429, headers: { 'retry-after': retryAfter } },
  );

/** A service that records when each request arrives, and refuses more requests than a window allows. */
const createService = ({ requests, perMs }: { readonly requests: number; readonly perMs: number }) => {
  const service = {
    arrivals: [] as number[],
    refused: 0,
    async fetch() {
      const now = performance.now();
      if (service.arrivals.filter((at) => at > now - perMs).length >= requests) {
        service.refused += 1;
        return refuse('1');
      }
      service.arrivals.push(now);
      return respond();
    },
  };
  return service;
};

/** Milliseconds by the clock of Redis. */
const timeOf = async (look: { sendCommand(command: string[]): Promise<unknown> }): Promise<number> => {
  const [seconds = 0, micros = 0] = ((await look.sendCommand(['TIME'])) as string[]).map(Number);
  return seconds * 1_000 + micros / 1_000;
};

describe.each(Object.entries(clients))('%s', (_, connect) => {
  /** A process of a fleet: a client of the API with a Redis connection of its own. */
  const startProcess = async (
    server: RedisServer,
    fetch: () => Promise<Response>,
    options: Omit<RedisRateLimitOptions, 'client'>,
    logger: Logger = {},
  ) =>
    clientWith({
      fetch,
      logger,
      concurrency: 50,
      rateLimit: redisRateLimit({ client: await connect(server), ...options }),
    });

  test('four processes share one window, so the service returns no 429', async () => {
    const server = await startRedisServer();
    const limits = { requests: 30, perMs: 300 };
    const service = createService(limits);
    const processes = await Promise.all(
      [1, 2, 3, 4].map(() => startProcess(server, service.fetch, { ...limits, name: 'one key' })),
    );

    await Promise.all(
      processes.flatMap((confab) => Array.from({ length: 30 }, () => confab.leads.get(lead.id))),
    );

    expect(service.refused).toBe(0);
    expect(service.arrivals).toHaveLength(120);
  });

  test('a process with many calls leaves a place for each waiting process', async () => {
    const server = await startRedisServer();
    const limits = { requests: 10, perMs: 300 };
    const senders: string[] = [];
    const startSender = async (name: string) =>
      startProcess(
        server,
        async () => {
          senders.push(name);
          return respond();
        },
        limits,
      );
    const greedy = await startSender('greedy');
    const others = await Promise.all(Array.from({ length: 9 }, (_, index) => startSender(`other ${index}`)));
    const many = Array.from({ length: 40 }, () => greedy.leads.get(lead.id));
    await many[9];

    await Promise.all([...many, ...others.map((confab) => confab.leads.get(lead.id))]);

    expect(senders.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'greedy'));
    expect(new Set(senders.slice(10, 20)).size).toBe(10);
  });

  test('waiting processes do not all ask Redis for each place that becomes free', async () => {
    const server = await startRedisServer();
    const look = await createNodeRedis({ url: server.url }).connect();
    onTestFinished(() => look.destroy());
    const now = await timeOf(look);
    // The window is full, and a place becomes free every 30 ms.
    const places = Array.from({ length: 20 }, (_, index) => ({
      score: now + 30 * (index + 10),
      value: `${index}`,
    }));
    await look.zAdd('confab:{default}:window', places);
    const limits = { requests: 20, perMs: 60_000 };
    const processes = await Promise.all(places.map(() => startProcess(server, respond, limits)));

    await Promise.all(processes.map((confab) => confab.leads.get(lead.id)));

    const [, calls] = /cmdstat_eval:calls=(\d+)/.exec(await look.info('commandstats')) ?? [];
    // Each process asks, asks again at its turn, and releases its place. Some ask too early.
    expect(Number(calls)).toBeLessThan(120);
  });

  test('a 429 to one process pauses the others', async () => {
    const server = await startRedisServer();
    const limits = { requests: 100, perMs: 1_000 };
    const fetch = vi.fn(respond).mockImplementationOnce(async () => refuse('100'));
    const [one, other] = await Promise.all([1, 2].map(() => startProcess(server, fetch, limits)));

    // The pause exceeds `retry.maxRetryAfter`, so the first call fails at once, and so do those of other processes.
    await expect(one?.leads.get(lead.id)).rejects.toMatchObject({ name: 'RateLimitError', attempts: 1 });
    await expect(other?.leads.get(lead.id)).rejects.toMatchObject({ name: 'RateLimitError', attempts: 0 });
    expect(other?.rateLimit.pausedUntil).toBeGreaterThan(Date.now() + 90_000);
  });

  test('when Redis is killed under load, no call fails, and the shared window applies again after its return', {
    timeout: 30_000,
  }, async () => {
    const server = await startRedisServer();
    const limits = { requests: 20, perMs: 100 };
    const warnings: string[] = [];
    const warned = (count: number) => eventually(() => expect(warnings).toHaveLength(count));
    const confab = await startProcess(server, respond, limits, { warn: (line) => warnings.push(line) });
    let running = true;
    let sent = 0;
    const worker = async () => {
      while (running) {
        await confab.leads.get(lead.id);
        sent += 1;
      }
    };
    const workers = Promise.all([worker(), worker(), worker()]);

    await server.kill();
    await warned(1);
    const before = sent;
    await server.start();
    await warned(2);
    running = false;
    await workers;

    expect(sent).toBeGreaterThan(before);
    expect(warnings).toEqual([
      expect.stringMatching(/^confab: The rate-limit store failed: /),
      'confab: The rate-limit store responds again.',
    ]);
  });

  test.each([
    ['pause', 'set', ['inf']],
    ['pause', 'set', ['hello']],
    ['window', 'zadd', ['+inf', 'a', '+inf', 'b', '+inf', 'c']],
  ])('a foreign %s (%s %j) causes a warning and delays no call', async (key, command, args) => {
    const server = await startRedisServer();
    const look = new Redis({ port: server.port, host: '127.0.0.1' });
    onTestFinished(() => look.disconnect());
    await look.call(command, `confab:{default}:${key}`, ...args);
    const limits = { requests: 3, perMs: 60_000 };
    const warn = vi.fn();
    const service = createService({ requests: 3, perMs: 1 });
    const confab = await startProcess(server, service.fetch, limits, { warn });

    await confab.leads.get(lead.id, { totalTimeout: 5_000 });

    expect(warn.mock.calls.map(([line]) => line)).toEqual([
      expect.stringContaining(
        `The rate-limit store failed: ERR another program has written the key confab:{default}:${key}`,
      ),
    ]);
  });

  test('places and a pause with times in the future count as now, with one warning', async () => {
    const server = await startRedisServer();
    const look = await createNodeRedis({ url: server.url }).connect();
    onTestFinished(() => look.destroy());
    const limits = { requests: 3, perMs: 300 };
    const service = createService(limits);
    const warn = vi.fn();
    const confab = await startProcess(server, service.fetch, limits, { warn });
    await Promise.all([1, 2, 3].map(() => confab.leads.get(lead.id)));
    // The clock of Redis cannot be set, so its times are moved instead.
    const stepBack = async () => {
      for (const { value, score } of await look.zRangeWithScores('confab:{default}:window', 0, -1)) {
        await look.zAdd('confab:{default}:window', { value, score: score + 3_600_000 });
      }
    };
    await stepBack();

    await Promise.all([1, 2, 3].map(() => confab.leads.get(lead.id, { totalTimeout: 5_000 })));

    await look.set('confab:{default}:pause', `${(await timeOf(look)) + 3_600_000}:200`);
    await stepBack();
    await confab.leads.get(lead.id, { totalTimeout: 5_000 });

    expect(service.refused).toBe(0);
    expect(warn.mock.calls.map(([line]) => line)).toEqual([
      expect.stringContaining('The rate limit in Redis contained times in the future'),
    ]);
  });

  test('processes that died while waiting delay no call after the clock of Redis has stepped back', async () => {
    const server = await startRedisServer();
    const look = await createNodeRedis({ url: server.url }).connect();
    onTestFinished(() => look.destroy());
    const score = (await timeOf(look)) + 3_600_000;
    await look.zAdd(
      'confab:{default}:line',
      Array.from({ length: 30 }, (_, index) => ({ score, value: `dead ${index}` })),
    );
    const warn = vi.fn();
    const confab = await startProcess(server, respond, { requests: 20, perMs: 300 }, { warn });

    await Promise.all(Array.from({ length: 100 }, () => confab.leads.get(lead.id, { totalTimeout: 5_000 })));

    expect(warn.mock.calls.map(([line]) => line)).toEqual([
      expect.stringContaining('The rate limit in Redis contained times in the future'),
    ]);
  });

  test('the place of a dead process stays taken for its lease and the window', async () => {
    const server = await startRedisServer();
    const client = await connect(server);
    const limits = { requests: 1, perMs: 700 };
    const sent = createGate();
    const dying = clientWith({
      rateLimit: redisRateLimit({ client, ...limits }),
      timeout: 500,
      retry: false,
      logger: {},
      fetch: () => {
        sent.open();
        return new Promise(() => {});
      },
    });
    // The place is taken later than this, by an unknown time.
    const startedAt = performance.now();
    dying.leads.get(lead.id).catch(() => {});
    await sent.opened;
    'call' in client
      ? (client as Redis).disconnect()
      : (client as ReturnType<typeof createNodeRedis>).destroy();
    const other = await startProcess(server, respond, limits);

    await other.leads.get(lead.id);

    const waited = performance.now() - startedAt;
    expect(waited).toBeGreaterThan(1_150);
    expect(waited).toBeLessThan(30_000);
  });
});

test.each([
  [
    { client: restRedisClient, requests: 1, perMs: 1 },
    /`client` must be a client of the package redis or ioredis\. A REST client, such as @upstash\/redis, is not/,
  ],
  [{ client: { call() {} }, requests: 0, perMs: 1 }, /`requests`/],
  [
    { client: { call() {} }, requests: 1, perMs: 1, name: '{a}' },
    /`name` must be a non-empty string without braces/,
  ],
  [{ client: { call() {} }, requests: 1, perMs: 1, nmae: 'a' }, /Did you mean `name`/],
])('redisRateLimit(%o) is refused', (options, message) => {
  expect(() => redisRateLimit(options as never)).toThrow(ConfigurationError);
  expect(() => redisRateLimit(options as never)).toThrow(message);
});
