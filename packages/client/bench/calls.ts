import type { Contender, Timing } from '../../../scripts/bench/measure.ts';
import { measure } from '../../../scripts/bench/measure.ts';
import type { Target } from './clients.ts';
import { createKy, createOpenAI, createOurs, createOursThroughKy, createStripe, reads } from './clients.ts';
import { ROW } from './server/rows.ts';
import { measureAt } from './server/start.ts';

/** The row that the others are set against. */
export const KY = 'ky';
export const OURS = '@confab/client';
export const THROUGH_KY = '@confab/client, `kyFetch`';

const BY_HAND = 'plain fetch, no checks';

const byHand =
  ({ url, fetch = globalThis.fetch }: Target) =>
  async (): Promise<unknown> => {
    const response = await fetch(`${url}/api/v2/public/leads/${ROW.id}`, { headers: { 'x-api-key': 'key' } });
    return response.json();
  };

const contenders = (target: Target): Contender[] => [
  { name: KY, run: reads.ky(createKy(target)) },
  { name: OURS, run: reads.ours(createOurs(target)) },
  { name: THROUGH_KY, run: reads.ours(createOursThroughKy(target)) },
  { name: 'openai', run: reads.openai(createOpenAI(target)) },
  { name: 'stripe', run: reads.stripe(createStripe(target)) },
  { name: BY_HAND, run: byHand(target) },
];

const canned = JSON.stringify({ success: true, data: ROW });
const headers = { 'content-type': 'application/json' };

/** Answers all contenders alike, at once. */
const cannedFetch: typeof globalThis.fetch = async () => new Response(canned, { headers });

/**
 * The time of one read, on a `fetch` that answers at once.
 *
 * A round is long enough for several garbage collections. In shorter ones, a contender pays for what another has left.
 */
export const compareCalls = (): Promise<Timing[]> =>
  measure(contenders({ url: 'https://api.example.com', fetch: cannedFetch }), {
    rounds: 21,
    runs: 2_000,
    warmUp: 4,
  });

/** The time of one read after another, over TCP. */
export const compareRequests = (): Promise<Timing[]> =>
  measureAt({}, contenders, { rounds: 21, runs: 200, warmUp: 4 });
