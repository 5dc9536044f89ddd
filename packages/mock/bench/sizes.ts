import { measure } from '../../../scripts/bench/measure.ts';
import type { Mock } from '../dist/index.js';
import { ask, worldOf } from './world.ts';

const SMALL = 1_000;
const LARGE = 100_000;

/** The time of one kind of request to a large mock, compared with a small one. */
export interface Growth {
  readonly work: string;
  /** Milliseconds. */
  readonly small: number;
  readonly large: number;
  /** The time with the large mock divided by the time with the small one. */
  readonly ratio: number;
}

/** A search has no index, so its growth has no limit. */
export const SEARCH = 'page of a search';

/** The path of the nth request of each kind. */
const WORKS: Readonly<Record<string, (nth: number, ids: readonly string[]) => string>> = {
  'get by id': (nth, ids) => `/leads/${ids[(nth * 7_919) % ids.length]}`,
  'first page': () => '/leads',
  'page from the middle': (nth, ids) => `/leads?offset=${Math.floor(ids.length / 2) + (nth % 100)}`,
  'page of one status': () => '/leads?status=active',
  'page of status and source': () => '/leads?status=active&source=web',
  [SEARCH]: (nth) => `/leads?search=${nth % 1_000}`,
};

const contender = (mock: Mock, name: string, pathOf: (nth: number, ids: readonly string[]) => string) => {
  const ids = mock.leads.find().map(({ id }) => id);
  let nth = 0;
  const run = async () => {
    nth += 1;
    await ask(mock, pathOf(nth, ids));
  };
  return { name, run };
};

/** Measures the cost of a hundred times as many leads, and the milliseconds of a snapshot and a restore of the large mock. */
export const compareSizes = async (): Promise<{ growth: Growth[]; snapshot: number; restore: number }> => {
  const [small, large] = [worldOf(SMALL), worldOf(LARGE)];
  const growth: Growth[] = [];
  for (const [work, pathOf] of Object.entries(WORKS)) {
    const pair = [contender(small, 'small', pathOf), contender(large, 'large', pathOf)];
    const runs = work === SEARCH ? 20 : 500;
    const [less, more] = await measure(pair, { rounds: 21, runs, warmUp: 10 });
    growth.push({
      work,
      small: less?.ms ?? Number.NaN,
      large: more?.ms ?? Number.NaN,
      ratio: more?.time.small ?? Number.NaN,
    });
  }
  let [snapshot, restore] = [0, 0];
  for (let round = 0; round < 20; round += 1) {
    const began = performance.now();
    const taken = large.snapshot();
    snapshot = Math.max(snapshot, performance.now() - began);
    for (let created = 0; created < 100; created += 1) {
      large.leads.create({});
    }
    const changed = performance.now();
    large.restore(taken);
    restore = Math.max(restore, performance.now() - changed);
  }
  return { growth, snapshot, restore };
};
