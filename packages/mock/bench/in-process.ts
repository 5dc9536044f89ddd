import { getResponse } from 'msw';
import type { Contender, Timing } from '../../../scripts/bench/measure.ts';
import { measure } from '../../../scripts/bench/measure.ts';
import type { Mock } from '../dist/index.js';
import { worldOf } from './world.ts';

/** One kind of request, answered by both. */
export interface Comparison {
  readonly work: string;
  readonly timings: readonly Timing[];
}

export const OURS = 'mock.fetch';
/** One of each, in turns. */
export const MIXED = 'all four, in turns';
export const MSW = "msw's getResponse, same handlers";

const requestsOf = (mock: Mock): [work: string, path: string, init?: RequestInit][] => {
  const { id } = mock.leads.find()[500] ?? { id: '' };
  return [
    ['read a lead', `/leads/${id}`],
    ['list 25 leads', '/leads'],
    ['update a lead', `/leads/${id}`, { method: 'PATCH', body: '{"status":"active"}' }],
    ['list agents', '/agents'],
  ];
};

/** The same requests through mock.fetch, and through the lookup that setupServer and setupWorker use. */
export const compareInProcess = async (): Promise<Comparison[]> => {
  const mock = worldOf(1_000);
  const handlers = [...mock.handlers];
  const comparisons: Comparison[] = [];
  const all: Contender[][] = [];
  for (const [work, path, init] of requestsOf(mock)) {
    const url = `${mock.baseUrl}/api/v2/public${path}`;
    const full = { ...init, headers: { 'x-api-key': mock.apiKey } };
    const check = async (response: Response | undefined) => {
      if (response?.status !== 200) {
        throw new Error(`${work} gave ${response?.status}`);
      }
      await response.text();
    };
    const pair = [
      { name: OURS, run: async () => check(await mock.fetch(url, full)) },
      { name: MSW, run: async () => check(await getResponse(handlers, new Request(url, full))) },
    ];
    all.push(pair);
    comparisons.push({ work, timings: await measure(pair, { rounds: 21, runs: 1_000, warmUp: 10 }) });
  }
  const mixed = [OURS, MSW].map((name, at) => ({
    name,
    run: async () => {
      for (const pair of all) {
        await pair[at]?.run();
      }
    },
  }));
  comparisons.push({ work: MIXED, timings: await measure(mixed, { rounds: 21, runs: 500, warmUp: 10 }) });
  return comparisons;
};
