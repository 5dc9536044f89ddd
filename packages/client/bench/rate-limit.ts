import { OURS } from './calls.ts';
import type { Target } from './clients.ts';
import { createKy, createOpenAI, createOurs, createStripe, reads } from './clients.ts';
import { ROW } from './server/rows.ts';
import { createSlidingWindow } from './server/sliding-window.ts';
import { startServer } from './server/start.ts';
import { createVirtualClock } from './virtual-clock.ts';
import type { Run } from './work.ts';
import { work } from './work.ts';

export const CALLS = 1500;
export const WORKERS = 50;
export const CAP = 300;
/** Short, so that the run ends: the API's own window is a minute. */
export const WINDOW = 5000;
/** The windows under which `'learn'` runs: two that it has to find out, and the API's own. */
const LEARNED_WINDOWS = [1000, 5000, 60_000];
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

/** The same job by a client that does not know the limit, on a virtual clock. Each response takes 5 ms. */
const learn = async (perMs: number): Promise<Run> => {
  const clock = createVirtualClock();
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
  const failed = await work(
    reads.ours(createOurs({ url: 'https://api.example.com', fetch }, { clock })),
    JOB,
  );
  const ms = clock.now();
  const name = `${OURS}, \`'learn'\`, a window of ${perMs / 1000} s`;
  return { name, failed, refused, ms, ratio: ms / least(perMs) };
};

/** The service tells its limit where the API does, in its first 429, and its window nowhere. */
export const runLearning = async (): Promise<Run[]> => {
  const runs: Run[] = [];
  for (const perMs of LEARNED_WINDOWS) {
    runs.push(await learn(perMs));
  }
  return runs;
};
