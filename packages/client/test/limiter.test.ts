import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ClientOptions, RateLimit } from '../src/index.ts';
import { Limiter } from '../src/rate-limit/limiter.ts';
import { acquire } from './support/acquire.ts';
import { clientAt } from './support/client.ts';
import { createTestClock } from './support/clock.ts';
import { ids, lead } from './support/data.ts';
import { createManualClock } from './support/manual-clock.ts';
import type { Responder } from './support/server.ts';
import { failure, json, startServer, success } from './support/server.ts';

interface Job {
  readonly arrives: number;
  readonly takes: number;
  /** Milliseconds after which the caller aborts the job, in the queue or in flight. */
  readonly aborts: number | undefined;
  /** The `Retry-After` of its 429, in milliseconds; undefined for a success. */
  readonly pauses: number | undefined;
  readonly isBulk: boolean;
}

const job: fc.Arbitrary<Job> = fc.record({
  arrives: fc.nat(2_000),
  takes: fc.integer({ min: 1, max: 400 }),
  aborts: fc.option(fc.nat(2_000), { nil: undefined, freq: 4 }),
  pauses: fc.option(fc.integer({ min: 1, max: 1_500 }), { nil: undefined, freq: 8 }),
  isBulk: fc.boolean(),
});
const options = fc.record({
  concurrency: fc.integer({ min: 1, max: 6 }),
  rateLimit: fc.oneof(
    fc.constant<false | RateLimit>(false),
    fc.record({ requests: fc.integer({ min: 1, max: 8 }), perMs: fc.integer({ min: 50, max: 1_000 }) }),
  ),
});

test('the limiter keeps every limit, puts direct calls first, and leaves no call waiting, whatever the traffic', async () => {
  await fc.assert(
    fc.asyncProperty(
      options,
      fc.array(job, { minLength: 1, maxLength: 60, size: 'max' }),
      async (given, jobs) => {
        const { clock, sleepers, turnTo } = createManualClock();
        const limiter = new Limiter({ clock, ...given });
        const starts: number[] = [];
        let inFlight = 0;
        let resumesAt = 0;
        let settled = 0;

        /** Number of direct calls that are waiting. */
        let direct = 0;

        const run = async ({ arrives, takes, aborts, pauses, isBulk }: Job) => {
          await clock.sleep(arrives);
          const controller = new AbortController();
          const abortsAt = clock.now() + (aborts ?? 0);
          if (aborts !== undefined) {
            clock.sleep(aborts).then(() => controller.abort('given up'));
          }
          let left = false;
          controller.signal.addEventListener('abort', () =>
            queueMicrotask(() => queueMicrotask(() => (left = true))),
          );
          try {
            direct += isBulk ? 0 : 1;
            const permit = await acquire(limiter, { signal: controller.signal, isBulk }).finally(() => {
              direct -= isBulk ? 0 : 1;
            });
            expect(isBulk && direct > 0).toBe(false);
            expect(left).toBe(false);
            expect(clock.now()).toBeGreaterThanOrEqual(resumesAt);
            inFlight += 1;
            const slots = isBulk ? Math.max(1, given.concurrency - 1) : given.concurrency;
            expect(inFlight).toBeLessThanOrEqual(slots);
            if (pauses === undefined) {
              starts.push(clock.now());
            }
            await clock.sleep(takes);
            inFlight -= 1;
            resumesAt = Math.max(resumesAt, clock.now() + (pauses ?? 0));
            limiter.pauseFor(pauses ?? 0);
            permit.end({ counts: pauses === undefined });
          } catch (reason) {
            expect([reason, clock.now()]).toEqual(['given up', abortsAt]);
          }
          settled += 1;
        };

        const all = Promise.all(jobs.map(run));
        await turnTo(10_000_000);
        await all;
        expect(settled).toBe(jobs.length);
        expect(limiter.snapshot()).toMatchObject({ queued: 0, inFlight: 0 });
        expect(sleepers.size).toBe(0);

        const { rateLimit } = given;
        if (typeof rateLimit !== 'object') {
          return;
        }
        for (const start of starts) {
          const inWindow = starts.filter((other) => other >= start && other < start + rateLimit.perMs);
          expect(inWindow.length).toBeLessThanOrEqual(rateLimit.requests);
        }
      },
    ),
    { numRuns: 200 },
  );
}, 60_000);

const limitOf = (value: string, more = {}) =>
  json(200, { success: true, data: lead }, { 'X-RateLimit-Limit': value, ...more });

/** Makes calls one after the other, and returns when each of them ended. */
const callTimes = async (count: number, responders: readonly Responder[], options: ClientOptions = {}) => {
  const server = await startServer(...responders);
  const clock = createTestClock(0);
  const confab = clientAt(server.url, { clock, ...options });
  const starts: number[] = [];
  for (let made = 0; made < count; made += 1) {
    await confab.leads.get(ids.lead);
    starts.push(clock.now());
  }
  return { starts, confab, waits: clock.waits };
};

test("with rateLimit: 'learn', the limit that the service reports applies over a sliding minute", async () => {
  const answer = limitOf('5', { 'X-RateLimit-Remaining': '4' });
  const { confab } = await callTimes(1, [answer]);
  expect(confab.rateLimit).toEqual({
    limit: 5,
    windowMs: 60_000,
    remaining: 4,
    pausedUntil: undefined,
    queued: 0,
    inFlight: 0,
  });
  expect((await callTimes(12, [answer])).waits).toEqual([60_000, 60_000]);
});

test("with rateLimit: 'learn', a changed limit applies at once, higher or lower", async () => {
  const answers = ['2', '2', '4', '4', '4', '3'].map((limit) => limitOf(limit));
  const { starts, confab } = await callTimes(10, answers);
  expect(confab.rateLimit.limit).toBe(3);
  // First two requests a minute, then four; the last response sets the limit to three.
  expect(starts).toEqual([0, 0, 60_000, 60_000, 60_000, 60_000, 120_000, 120_000, 120_000, 180_000]);
});

test.each([
  [
    'a page',
    (_, response) => void response.writeHead(502, { 'x-ratelimit-limit': '2' }).end('<h1>Bad gateway</h1>'),
  ],
  [
    'JSON of its own',
    json(502, { error: 'Bad gateway' }, { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0' }),
  ],
] satisfies [string, Responder][])(
  "with rateLimit: 'learn', the limit of a proxy is ignored: %s",
  async (_, responder) => {
    const { waits, confab } = await callTimes(5, [responder, success(lead)], { retry: { baseDelay: 0 } });
    expect(waits).toEqual([]);
    expect(confab.rateLimit).toMatchObject({ limit: undefined, remaining: undefined });
  },
);

test.each<[string, ClientOptions['rateLimit'], Responder[], calls: number, waits: number[]]>([
  [
    'a 429 from a proxy pauses the client too',
    'learn',
    [(_, response) => void response.writeHead(429, { 'retry-after': '9' }).end('Slow down'), success(lead)],
    1,
    [9_000],
  ],
  [
    'with rateLimit: false, a client ignores the limit that the service reports',
    false,
    [limitOf('1')],
    5,
    [],
  ],
  [
    'a fixed rate limit applies from the first call',
    { requests: 2, perMs: 1_000 },
    [success(lead)],
    5,
    [1_000, 1_000],
  ],
  [
    'a refused request does not count against the rate limit',
    { requests: 2, perMs: 60_000 },
    [failure(429, 'RATE_LIMIT_EXCEEDED', 'Slow down', { 'Retry-After': '1' }), success(lead)],
    2,
    [1_000],
  ],
])('%s', async (_, rateLimit, responders, calls, waits) => {
  expect((await callTimes(calls, responders, { rateLimit })).waits).toEqual(waits);
});

test.each<[string, RateLimit | false]>([
  ['a rate limit', { requests: 3, perMs: 500 }],
  ['the end of a pause', false],
])('calls that wait for %s start in the order in which they were made', async (_, rateLimit) => {
  const { clock, turnTo } = createManualClock();
  const limiter = new Limiter({ clock, concurrency: 3, rateLimit });
  limiter.pauseFor(100);
  const started: number[] = [];
  const calls = Array.from({ length: 9 }, async (_, index) => {
    const permit = await acquire(limiter);
    started.push(index);
    permit.end({ counts: true });
  });
  await turnTo(2_000);
  await Promise.all(calls);

  expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});
