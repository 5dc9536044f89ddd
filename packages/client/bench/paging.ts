import type { Contender, Timing } from '../../../scripts/bench/measure.ts';
import { measure } from '../../../scripts/bench/measure.ts';
import { OURS } from './calls.ts';
import { createKy, createOpenAI, createOurs, createStripe } from './clients.ts';
import type { BenchServer } from './server/start.ts';
import { startServer } from './server/start.ts';

const LIMIT = 100;
/** 100 pages. */
export const ROWS = 10_000;
export const DELAY = 20;

/** What the others are set against. */
export const ONE_BY_ONE = `${OURS}, one page at a time`;
export const EIGHT = `${OURS}, \`.all({ concurrency: 8 })\``;

const count = async (rows: AsyncIterable<unknown>): Promise<number> => {
  let counted = 0;
  for await (const _ of rows) {
    counted += 1;
  }
  return counted;
};

const contenders = (server: BenchServer): Contender[] => {
  const ours = createOurs(server);
  const ky = createKy(server);
  const openai = createOpenAI(server);
  const stripe = createStripe(server);
  const jobs: [name: string, run: () => Promise<number>][] = [
    [ONE_BY_ONE, () => count(ours.leads.list())],
    [EIGHT, async () => (await ours.leads.list().all({ concurrency: 8 })).length],
    [`${OURS}, \`prefetch: 2\``, () => count(ours.leads.list({}, { prefetch: 2 }))],
    [
      'ky, hand-written loop',
      async () => {
        const rows: unknown[] = [];
        for (let total = 1; rows.length < total; ) {
          const searchParams = { limit: LIMIT, offset: rows.length };
          const page = await ky
            .get('leads', { searchParams })
            .json<{ data: unknown[]; meta: { total: number } }>();
          rows.push(...page.data);
          total = page.meta.total;
        }
        return rows.length;
      },
    ],
    ['openai, `for await`', () => count(openai.files.list({ limit: LIMIT }))],
    ['stripe, `for await`', () => count(stripe.customers.list({ limit: LIMIT }))],
  ];
  return jobs.map(([name, run]) => ({
    name,
    run: async () => {
      const rows = await run();
      if (rows !== ROWS) {
        throw new Error(`${name} gave ${rows} rows of ${ROWS}`);
      }
    },
  }));
};

/** The time to read a whole list from a server that takes a while for each answer. */
export const comparePaging = async (): Promise<Timing[]> => {
  const server = await startServer({ total: ROWS, delayMs: DELAY });
  try {
    return await measure(contenders(server), { rounds: 7, runs: 1, warmUp: 1 });
  } finally {
    await server.close();
  }
};
