import { measure } from '../../../scripts/bench/measure.ts';
import type { Mock } from '../dist/index.js';
import { worldOf } from './world.ts';

const SMALL = 1_000;
const LARGE = 100_000;

/** One kind of request to a large world, against the same to a small one. */
export interface Growth {
  readonly work: string;
  /** Milliseconds. */
  readonly small: number;
  readonly large: number;
  /** Time against the large world divided by that against the small one. */
  readonly ratio: number;
}

/** No index answers it, so it has no floor. */
export const SEARCH = 'page of a search';

const works = [
  'get by id',
  'first page',
  'page from the middle',
  'page of one status',
  'page of status and source',
  SEARCH,
];

const pathOf = (work: string, ids: readonly string[], nth: number): string => {
  if (work === 'get by id') {
    return `/leads/${ids[(nth * 7_919) % ids.length]}`;
  }
  if (work === 'first page') {
    return '/leads';
  }
  if (work === 'page from the middle') {
    return `/leads?offset=${Math.floor(ids.length / 2) + (nth % 100)}`;
  }
  if (work === SEARCH) {
    return `/leads?search=${nth % 1_000}`;
  }
  return work === 'page of one status' ? '/leads?status=active' : '/leads?status=active&source=web';
};

const contender = (mock: Mock, work: string, name: string) => {
  const ids = mock.leads.find().map(({ id }) => id);
  let nth = 0;
  return {
    name,
    run: async () => {
      nth += 1;
      const response = await mock.fetch(`${mock.baseUrl}/api/v2/public${pathOf(work, ids, nth)}`, {
        headers: { 'x-api-key': mock.apiKey },
      });
      if (response.status !== 200) {
        throw new Error(`${work} gave ${response.status}`);
      }
      await response.text();
    },
  };
};

/** What a hundred times as many leads cost; and the milliseconds of a snapshot and a restore of the large world. */
export const compareSizes = async (): Promise<{ growth: Growth[]; snapshot: number; restore: number }> => {
  const [small, large] = [worldOf(SMALL), worldOf(LARGE)];
  const growth: Growth[] = [];
  for (const work of works) {
    const [less, more] = await measure([contender(small, work, 'small'), contender(large, work, 'large')], {
      rounds: 21,
      runs: work === SEARCH ? 20 : 500,
      warmUp: 10,
    });
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
    for (let at = 0; at < 100; at += 1) {
      large.leads.create({});
    }
    const changed = performance.now();
    large.restore(taken);
    restore = Math.max(restore, performance.now() - changed);
  }
  return { growth, snapshot, restore };
};
