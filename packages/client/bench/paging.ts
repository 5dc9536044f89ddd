import type { Contender, Timing } from '../../../scripts/bench/measure.ts';
import { OURS } from './calls.ts';
import { createKy, createOpenAI, createOurs, createStripe } from './clients.ts';
import type { BenchServer } from './server/start.ts';
import { measureAt } from './server/start.ts';

const LIMIT = 100;
/** 100 pages. */
export const ROWS = 10_000;
export const DELAY = 20;

/** The contender to which the others are compared. */
export const ONE_BY_ONE = `${OURS}, one page at a time`;
export const EIGHT = `${OURS}, \`.all({ concurrency: 8 })\``;

const count = async (rows: AsyncIterable<unknown>): Promise<number> => {
  let counted = 0;
  for await (const _ of rows) {
    counted += 1;
  }
  return counted;
};

/** A contender that must read a number of rows. */
const reading = (name: string, read: () => Promise<number>, total: number): Contender => ({
  name,
  run: async () => {
    const rows = await read();
    if (rows !== total) {
      throw new Error(`${name} gave ${rows} rows of ${total}`);
    }
  },
});

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
  return jobs.map(([name, run]) => reading(name, run, ROWS));
};

/** The time to read a whole list from a server that takes a while for each answer. */
export const comparePaging = (): Promise<Timing[]> =>
  measureAt({ total: ROWS, delayMs: DELAY }, contenders, { rounds: 7, runs: 1, warmUp: 1 });

/** All of them have a new message. */
export const CONVERSATIONS = 400;

/** The time of a pass over conversations, by how many are read at once. */
export const compareMessages = (): Promise<Timing[]> =>
  measureAt(
    { total: CONVERSATIONS, delayMs: DELAY },
    (server) => {
      const { conversations } = createOurs(server);
      return [1, 8].map((concurrency) =>
        reading(
          `${concurrency}`,
          () => count(conversations.messagesSince(0, { concurrency })),
          CONVERSATIONS,
        ),
      );
    },
    { rounds: 3, runs: 1, warmUp: 1 },
  );
