import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ClientOptions, Confab } from '../src/index.ts';
import { TimeoutError } from '../src/index.ts';
import { clientWith } from './support/client.ts';
import { ids, lead } from './support/data.ts';
import { errorOf } from './support/error-of.ts';
import { createManualClock } from './support/manual-clock.ts';

interface Service {
  requests: number;
  perMs: number;
  /** Milliseconds that a request takes to reach the service, and that its response takes back. */
  readonly travel: () => readonly [there: number, back: number];
  /** True to respond with 503 without counting the request. */
  fails?: boolean;
}

/** Creates clients, on a virtual clock, of a service with an exact sliding window that reports its limit only in a 429. */
const connect = (service: Service, options: ClientOptions = {}, clients = 1) => {
  const { clock, turnTo } = createManualClock();
  const accepted: number[] = [];
  const refused: number[] = [];
  const lines: string[] = [];
  const fetch = async (): Promise<Response> => {
    const [there, back] = service.travel();
    await clock.sleep(there);
    if (service.fails) {
      return Response.json({ success: false, error: 'Down', code: 'UNAVAILABLE' }, { status: 503 });
    }
    const now = clock.now();
    const oldest = accepted.at(-service.requests);
    const wait = oldest === undefined ? 0 : oldest + service.perMs - now;
    (wait > 0 ? refused : accepted).push(now);
    await clock.sleep(back);
    if (wait <= 0) {
      return Response.json({ success: true, data: lead });
    }
    return Response.json(
      { success: false, error: 'Slow down', code: 'RATE_LIMIT_EXCEEDED' },
      {
        status: 429,
        headers: {
          'x-ratelimit-limit': String(service.requests),
          'retry-after': String(Math.ceil(wait / 1_000)),
        },
      },
    );
  };
  const [confab, ...others] = Array.from({ length: clients }, () =>
    clientWith({ fetch, clock, logger: { info: (line) => void lines.push(line) }, ...options }),
  ) as [Confab, ...Confab[]];
  /** Makes the same number of calls with each client at once, and returns their errors and the time they took. */
  const callAll = async (count: number) => {
    const startedAt = clock.now();
    let endedAt = startedAt;
    const errors: unknown[] = [];
    const all = Promise.all(
      [confab, ...others].flatMap((client) =>
        Array.from({ length: count }, () =>
          client.leads
            .get(ids.lead)
            .catch((error) => errors.push(error))
            .then(() => {
              endedAt = clock.now();
            }),
        ),
      ),
    );
    await turnTo(startedAt + 1_000_000);
    await all;
    return { errors, ms: endedAt - startedAt };
  };
  return { confab, clock, turnTo, accepted, refused, lines, callAll };
};

const steady = () => [2, 3] as const;
/** The service responds in the same millisecond, as a mock whose clock stands still. */
const atOnce = () => [0, 0] as const;

test.each([
  [500, 'a latency of 5 ms', steady, 6_000],
  [1_000, 'a latency of 5 ms', steady, 6_000],
  [1_000, 'no latency', atOnce, 6_000],
  [5_000, 'a latency of 5 ms', steady, 22_000],
  [5_000, 'no latency', atOnce, 22_000],
])(
  "with rateLimit: 'learn', the first 429 reveals a window of %i ms, with %s",
  async (perMs, _, travel, most) => {
    const { confab, callAll, refused } = connect({ requests: 20, perMs, travel });

    const { errors, ms } = await callAll(100);

    expect(errors).toEqual([]);
    expect(ms).toBeLessThan(most);
    expect(refused.length).toBeLessThanOrEqual(10);
    expect(confab.rateLimit.windowMs).toBeGreaterThanOrEqual(perMs);
    expect(confab.rateLimit.windowMs).toBeLessThan(Math.max(1_000, perMs) + 500);
  },
);

test("with rateLimit: 'learn', the window stays a minute if the service counts per minute", async () => {
  const { confab, callAll, refused, lines } = connect(
    { requests: 20, perMs: 60_000, travel: steady },
    { totalTimeout: false },
  );

  const { errors, ms } = await callAll(100);

  expect(errors).toEqual([]);
  expect(ms).toBeLessThan(241_000);
  expect(refused.length).toBeLessThanOrEqual(10);
  expect(confab.rateLimit).toMatchObject({ limit: 20, windowMs: 60_000 });
  expect(lines).toContain('confab: learned the rate limit: 20 per minute');
});

test("with rateLimit: 'learn', clients that share a key do not wait for a minute if its window is short", async () => {
  const { confab, callAll } = connect({ requests: 20, perMs: 1_000, travel: steady }, {}, 2);

  const { errors, ms } = await callAll(100);

  expect(errors).toEqual([]);
  expect(ms).toBeLessThan(21_000);
  expect(confab.rateLimit.windowMs).toBeLessThan(2_500);
});

test("with rateLimit: 'learn', a 429 that other clients caused does not lengthen a window of a second", async () => {
  const { confab, accepted, callAll, clock, refused } = connect({ requests: 5, perMs: 900, travel: atOnce });
  await callAll(10);
  expect(confab.rateLimit.windowMs).toBe(1_000);
  accepted.push(...Array.from({ length: 5 }, () => clock.now()));
  const before = refused.length;

  await callAll(1);

  expect(refused).toHaveLength(before + 1);
  expect(confab.rateLimit.windowMs).toBe(1_000);
});

test.each<[ClientOptions['rateLimit'], string]>([
  ['learn', '(1 per minute, learned from the service)'],
  [{ requests: 1, perMs: 90_000 }, '(1 per 90 s)'],
])('the error of a call that times out waiting for the rate limit says so: %j', async (rateLimit, limit) => {
  const service = { requests: 1, perMs: 60_000, travel: steady };
  const { confab, turnTo } = connect(service, { rateLimit });
  const first = Promise.all([1, 2].map(() => confab.leads.get(ids.lead)));
  await turnTo(61_000);
  const late = errorOf(confab.leads.get(ids.lead, { totalTimeout: 20_000 }), TimeoutError);
  await turnTo(300_000);

  await first;
  expect((await late).message).toBe(
    `leads.get waited 20 s for the rate limit ${limit} until its total timeout of 20 s ended, so nothing was sent. If it may take longer, raise \`totalTimeout\`.`,
  );
});

test('the error of a call that waited for the rate limit says so, even if all slots are taken at the timeout', async () => {
  const limit = { requests: 10, perMs: 60_000 };
  const { callAll, turnTo } = connect({ ...limit, travel: () => [0, 0] }, { rateLimit: limit });
  const called = callAll(40);
  await turnTo(300_000);

  const messages = (await called).errors.map(String).filter((message) => message.includes('waited'));
  expect(messages.length).toBeGreaterThanOrEqual(10);
  const expected = 'waited 120 s for the rate limit (10 per minute) until';
  expect(messages.filter((message) => !message.includes(expected))).toEqual([]);
});

test("with rateLimit: 'learn', the window is never shorter than the service's, whatever the traffic", async () => {
  const travel = fc.tuple(fc.nat(300), fc.nat(300));
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        requests: fc.integer({ min: 1, max: 12 }),
        perMs: fc.constantFrom(300, 1_000, 2_500, 10_000, 60_000),
        concurrency: fc.integer({ min: 1, max: 15 }),
        travels: fc.array(travel, { minLength: 1, maxLength: 30 }),
        arrivals: fc.array(fc.nat(90_000), { minLength: 1, maxLength: 60, size: 'max' }),
        burst: fc.boolean(),
      }),
      async ({ requests, perMs, concurrency, travels, arrivals, burst }) => {
        let sent = 0;
        const travel = () => travels[sent++ % travels.length] ?? [0, 0];
        const { confab, clock, turnTo } = connect(
          { requests, perMs, travel },
          { concurrency, totalTimeout: false },
        );
        const all = arrivals.map(async (at) => {
          await clock.sleep(burst ? at / 100 : at);
          await confab.leads.get(ids.lead);
          expect(confab.rateLimit.windowMs ?? perMs).toBeGreaterThanOrEqual(perMs);
        });
        await turnTo(10_000_000);
        await Promise.all(all);
      },
    ),
    { numRuns: 200 },
  );
}, 60_000);
