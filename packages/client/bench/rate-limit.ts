import { createManualClock } from '../test/support/manual-clock.ts';
import { OURS } from './calls.ts';
import type { Target } from './clients.ts';
import { createKy, createOpenAI, createOurs, createStripe, reads } from './clients.ts';
import { ROW } from './server/rows.ts';
import { createSlidingWindow } from './server/sliding-window.ts';
import { startServer } from './server/start.ts';
import type { Run } from './work.ts';
import { CALLS, CAP, WINDOW, WORKERS, work } from './work.ts';

const JOB = { calls: CALLS, workers: WORKERS };

const least = (perMs: number): number => (Math.ceil(CALLS / CAP) - 1) * perMs;

const contenders: [name: string, makeCall: (target: Target) => () => Promise<unknown>][] = [
  [
    `${OURS}, \`rateLimit\` given`,
    (target) => reads.ours(createOurs(target, { rateLimit: { requests: CAP, perMs: WINDOW } })),
  ],
  ['ky', (target) => reads.ky(createKy(target))],
  ['openai', (target) => reads.openai(createOpenAI(target))],
  ['stripe', (target) => reads.stripe(createStripe(target))],
  [
    'stripe, `maxNetworkRetries: 20`',
    (target) => reads.stripe(createStripe(target, { maxNetworkRetries: 20 })),
  ],
];

/** The same job by each client, one after another, on a server with an exact sliding window for each key. */
export const runRateLimited = async (): Promise<Run[]> => {
  const server = await startServer({ rateLimit: { requests: CAP, perMs: WINDOW } });
  const runs: Run[] = [];
  try {
    for (const [name, makeCall] of contenders) {
      const before = await server.refused();
      const start = performance.now();
      const failed = await work(makeCall({ url: server.url, key: `key-${runs.length}` }), JOB);
      const ms = performance.now() - start;
      const refused = (await server.refused()) - before;
      runs.push({ name, failed, refused, ms, ratio: ms / least(WINDOW) });
    }
  } finally {
    await server.close();
  }
  return runs;
};

/** The same job on a virtual clock, so that the load of the machine does not count. Each response takes 5 ms. */
const simulate = async (perMs: number, limit: 'given' | 'learned'): Promise<Run> => {
  const rateLimit = limit === 'given' ? { requests: CAP, perMs } : 'learn';
  const { clock, turnTo } = createManualClock();
  const enter = createSlidingWindow({ requests: CAP, perMs });
  let refused = 0;
  const fetch: typeof globalThis.fetch = async () => {
    const wait = enter(clock.now());
    await clock.sleep(5);
    if (wait === 0) {
      return Response.json({ success: true, data: ROW });
    }
    refused += 1;
    return Response.json(
      { success: false, error: 'Rate limit exceeded', code: 'RATE_LIMIT_EXCEEDED' },
      {
        status: 429,
        headers: {
          'x-ratelimit-limit': String(CAP),
          'x-ratelimit-remaining': '0',
          'retry-after': String(Math.ceil(wait / 1000)),
        },
      },
    );
  };
  const client = createOurs({ url: 'https://api.example.com', fetch }, { clock, rateLimit });
  const job = work(reads.ours(client), JOB).then((failed) => ({ failed, ms: clock.now() }));
  await turnTo(2 * least(perMs));
  const { failed, ms } = await job;
  const what = limit === 'given' ? '`rateLimit` given, virtual clock' : "`'learn'`";
  const name = `${OURS}, ${what}, a window of ${perMs / 1000} s`;
  return { name, failed, refused, ms, ratio: ms / least(perMs) };
};

/**
 * A limit that is given, and limits that are learned: two windows to find out, and the API's own. The service tells its
 * limit where the API does, in its first 429, and its window nowhere.
 */
export const simulateRateLimits = async (): Promise<Run[]> => [
  await simulate(WINDOW, 'given'),
  await simulate(5000, 'learned'),
  await simulate(60_000, 'learned'),
  await simulate(1000, 'learned'),
];
