import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { RateLimitStoreError } from '../src/index.ts';
import { Limiter } from '../src/rate-limit/limiter.ts';
import { createSharedRateLimit } from '../src/redis/shared-window.ts';
import { acquire as acquireFrom } from './support/acquire.ts';
import { clientWith } from './support/client.ts';
import { errorOf } from './support/error-of.ts';
import { createManualClock } from './support/manual-clock.ts';
import type { Outage } from './support/memory-rate-limit-store.ts';
import { createMemoryRateLimitStore } from './support/memory-rate-limit-store.ts';

const LEASE = 2_000;
const acquire = (limiter: Limiter, signal = new AbortController().signal) =>
  acquireFrom(limiter, { signal, leaseMs: LEASE });

interface Job {
  readonly process: number;
  readonly arrives: number;
  readonly takes: number;
  readonly aborts: number | undefined;
  readonly refused: boolean;
}

const job = fc.record<Job>({
  process: fc.nat(3),
  arrives: fc.nat(2_000),
  takes: fc.integer({ min: 1, max: 400 }),
  aborts: fc.option(fc.nat(2_000), { nil: undefined, freq: 5 }),
  refused: fc.boolean(),
});
const jobs = fc.array(job, { minLength: 1, maxLength: 60, size: 'max' });
const rate = fc.record({
  requests: fc.integer({ min: 1, max: 8 }),
  perMs: fc.integer({ min: 50, max: 1_000 }),
});
const outage = fc
  .record({ from: fc.nat(3_000), lasts: fc.integer({ min: 1, max: 3_000 }), hangs: fc.boolean() })
  .map(({ from, lasts, hangs }): Outage => ({ from, to: from + lasts, kind: hangs ? 'hangs' : 'rejects' }));

interface Sent {
  readonly process: number;
  readonly at: number;
  readonly counts: boolean;
}

/** Runs the jobs in four processes that share a store, and returns when each job was sent. */
const run = async (
  given: { readonly requests: number; readonly perMs: number },
  list: readonly Job[],
  latency: number,
  outages: readonly Outage[],
) => {
  const { clock, turnTo } = createManualClock();
  const memory = createMemoryRateLimitStore(clock, given, { latency, outages });
  const warnings: string[] = [];
  const limiters = Array.from(
    { length: 4 },
    () =>
      new Limiter({
        clock,
        concurrency: 5,
        rateLimit: createSharedRateLimit({ store: memory.store, ...given }),
        warn: (message) => warnings.push(message),
      }),
  );
  const sent: Sent[] = [];
  const ended = list.map(async ({ process, arrives, takes, aborts, refused }) => {
    await clock.sleep(arrives);
    const controller = new AbortController();
    if (aborts !== undefined) {
      void clock.sleep(aborts).then(() => controller.abort());
    }
    try {
      const permit = await acquire(limiters[process] as Limiter, controller.signal);
      sent.push({ process, at: clock.now(), counts: !refused });
      await clock.sleep(takes);
      permit.end({ counts: !refused });
      return 'sent';
    } catch {
      return 'aborted';
    }
  });
  // Each job may have to wait for one more window.
  await turnTo(2_000 + 3_000 + (list.length + 2) * (given.perMs + 2_000));
  return { sent, outcomes: await Promise.all(ended), warnings, taken: memory.taken() };
};

const mostInWindow = (sent: readonly Sent[], perMs: number): number =>
  Math.max(
    0,
    ...sent.map(({ at }) => sent.filter((other) => other.at >= at && other.at < at + perMs).length),
  );

test('all processes together, or each alone while the store fails, keep the limit and start every call', async () => {
  await fc.assert(
    fc.asyncProperty(
      rate,
      jobs,
      fc.nat(30),
      fc.array(outage, { maxLength: 3 }),
      async (given, list, latency, outages) => {
        const { sent, outcomes, warnings, taken } = await run(given, list, latency, outages);

        const counted = sent.filter(({ counts }) => counts);
        const fleets = [0, 1, 2, 3].map((process) => counted.filter((one) => one.process === process));
        for (const fleet of outages.length === 0 ? [counted] : fleets) {
          expect(mostInWindow(fleet, given.perMs)).toBeLessThanOrEqual(given.requests);
        }
        expect(
          outcomes.filter((outcome, index) => outcome !== 'sent' && list[index]?.aborts === undefined),
        ).toEqual([]);
        if (outages.length === 0) {
          expect({ warnings, taken }).toEqual({ warnings: [], taken: 0 });
        }
      },
    ),
    { numRuns: 300 },
  );
});

/** Creates the limiters of several processes that share a store, which counts how often it is asked. */
const share = (
  limits: { readonly requests: number; readonly perMs: number; readonly onStoreError?: 'throw' },
  outages: readonly Outage[] = [],
  latency = 0,
) => {
  const manual = createManualClock();
  const memory = createMemoryRateLimitStore(manual.clock, limits, { latency, outages });
  const asked: number[] = [];
  const leases: number[] = [];
  const warnings: string[] = [];
  const store = {
    ...memory.store,
    take(request: { readonly count: number; readonly leaseMs: number }) {
      asked.push(request.count);
      leases.push(request.leaseMs);
      return memory.store.take(request);
    },
  };
  const start = () =>
    new Limiter({
      clock: manual.clock,
      concurrency: 50,
      rateLimit: createSharedRateLimit({ store, ...limits }),
      warn: (message) => warnings.push(message),
    });
  /** Sends a request that ends at once, and returns when it was sent. */
  const sentAt = async (limiter: Limiter): Promise<number> => {
    const permit = await acquire(limiter);
    permit.end({ counts: true });
    return manual.clock.now();
  };
  return { ...manual, ...memory, asked, leases, warnings, start, sentAt };
};

test('a 429 in one process pauses every process, and the pause ends for all of them', async () => {
  const { start, sentAt, turnTo } = share({ requests: 100, perMs: 1_000 });
  const [one, other] = [start(), start()];
  one.pauseFor(5_000);
  await turnTo(1);
  const calls = Promise.all([sentAt(other), sentAt(one)]);
  await turnTo(6_000);

  expect(await calls).toEqual([5_000, 5_000]);
});

test.each(['rejects', 'hangs'] as const)(
  'no call fails with a store that %s: the process counts alone, warns once, and returns to the store',
  async (kind) => {
    const { start, sentAt, turnTo, warnings, asked } = share({ requests: 3, perMs: 1_000 }, [
      { from: 0, to: 4_000, kind },
    ]);
    const limiter = start();
    const calls = Promise.all(Array.from({ length: 6 }, () => sentAt(limiter)));
    await turnTo(9_000);
    const [first = 0, , , fourth = 0] = await calls;

    // Three start in the first window, once the store has failed, and three in the next.
    expect([first, fourth]).toEqual(kind === 'rejects' ? [0, 1_000] : [1_000, 2_000]);
    // The first call after the store's return notices that it responds; the store counts the next call again.
    expect(await sentAt(limiter)).toBe(9_000);
    await turnTo(9_100);
    const next = sentAt(limiter);
    await turnTo(9_200);
    expect(await next).toBe(9_100);
    expect(warnings).toEqual([
      expect.stringContaining(kind === 'rejects' ? 'ECONNREFUSED' : 'did not respond within 1000 ms'),
      'The rate-limit store responds again.',
    ]);
    expect(asked.at(-1)).toBe(1);
  },
);

test('places that the store grants too late are released', async () => {
  const { start, sentAt, turnTo, taken } = share({ requests: 3, perMs: 5_000 }, [], 1_500);
  const sent = sentAt(start());
  await turnTo(3_100);

  // The process sent the call by its own count.
  expect(await sent).toBe(1_000);
  expect(taken()).toBe(0);
});

test('the lease of a place covers the longest timeout of all calls, even of a call that arrives meanwhile', async () => {
  const { start, turnTo, leases } = share({ requests: 1, perMs: 1_000 }, [], 10);
  const limiter = start();
  const sent: string[] = [];
  const send = async (name: string, leaseMs: number) => {
    const permit = await acquireFrom(limiter, { leaseMs });
    sent.push(name);
    permit.end({ counts: true });
  };
  const calls = [send('short', 1_000)];
  await turnTo(5);
  calls.push(send('long', 60_000), send('short again', 1_000));
  await turnTo(15);
  expect(sent).toEqual([]);
  await turnTo(10_000);
  await Promise.all(calls);

  expect(sent).toEqual(['short', 'long', 'short again']);
  expect(leases[0]).toBe(1_000);
  expect(new Set(leases.slice(1))).toEqual(new Set([60_000]));
});

test('the lease of a place includes the time that the `apiKey` and `headers` functions may take', async () => {
  const leases: number[] = [];
  const store = {
    async take({ leaseMs }: { readonly leaseMs: number }) {
      leases.push(leaseMs);
      return { places: ['1'], waitMs: 0, pausedMs: 0 };
    },
    release: async () => {},
    pause: async () => {},
  };
  const confab = clientWith({
    apiKey: () => 'confab_live_0123456789abcdef',
    headers: () => ({}),
    fetch: async () => Response.json({ success: true, data: [] }),
    rateLimit: createSharedRateLimit({ store, requests: 1, perMs: 1_000 }),
  });
  await confab.agents.list({ timeout: 1_000 });
  expect(leases).toEqual([61_000]);
});

test('with onStoreError: throw, each waiting call rejects with an error of its own, without the API key', async () => {
  const key = 'confab_live_in_an_error';
  const store = {
    take: () => Promise.reject(new Error(`redis://:${key}@cache\nis down`)),
    release: async () => {},
    pause: async () => {},
  };
  const warnings: string[] = [];
  const confab = clientWith({
    apiKey: key,
    rateLimit: createSharedRateLimit({ store, requests: 1, perMs: 1_000, onStoreError: 'throw' }),
    logger: { warn: (message) => warnings.push(message) },
  });

  const [one, other] = await Promise.all([
    errorOf(confab.agents.list(), RateLimitStoreError),
    errorOf(confab.request({ method: 'POST', path: '/tags' }), RateLimitStoreError),
  ]);

  expect(one).not.toBe(other);
  expect(one).toMatchObject({ operation: 'agents.list', attempts: 0 });
  expect(other.message).toMatch(/^POST \/tags was not sent, because the rate-limit store failed/);
  for (const text of [String(one), JSON.stringify(other), ...warnings]) {
    expect(text).toContain('[redacted]');
    expect(text).not.toContain(key);
    expect(text).not.toContain('\n');
  }
});

test('without a logger, the console reports that the store fails', async () => {
  using warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const unreachable = () => Promise.reject(new Error('connect ECONNREFUSED'));
  const store = { take: unreachable, release: unreachable, pause: unreachable };
  const confab = clientWith({
    fetch: async () => Response.json({ success: true, data: [] }),
    rateLimit: createSharedRateLimit({ store, requests: 1, perMs: 1_000 }),
  });
  await confab.agents.list();
  expect(warn.mock.calls).toEqual([
    [expect.stringMatching(/^confab: The rate-limit store failed: .*connect ECONNREFUSED/)],
  ]);
});
