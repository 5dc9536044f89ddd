import { getResponse } from 'msw';
import type { Timing } from '../../../scripts/bench/measure.ts';
import { measure } from '../../../scripts/bench/measure.ts';
import type { Mock } from '../dist/index.js';
import { ask, worldOf } from './world.ts';

/** The timings of one kind of request. */
export interface Comparison {
  readonly work: string;
  readonly timings: readonly Timing[];
}

export const OURS = 'mock.fetch';
export const MIXED = 'all four, in turns';
export const FAULTY = 'all four, with faults that match others';
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

/** Plans faults that match other requests of each kind, and differ only in the last part of their pattern. */
const planFaults = (mock: Mock): void => {
  const [other] = mock.leads.find();
  const headers = { 'x-tenant': 'another' };
  const params = { id: other?.id ?? '' };
  mock.faults.always('leads.get', { status: 503, match: { params } });
  mock.faults.always('leads.list', { status: 503, match: { query: { status: 'new' }, headers } });
  mock.faults.always('leads.update', { status: 503, match: { body: { status: 'lost' } } });
  mock.faults.always('*', { status: 503, match: { headers } });
};

/** The same request through mock.fetch, and through the lookup that setupServer and setupWorker use. */
const contendersOf = (mock: Mock) => {
  const handlers = [...mock.handlers];
  const lookUp = (url: string, init: RequestInit) => getResponse(handlers, new Request(url, init));
  return requestsOf(mock).map(([work, path, init]) => {
    const pair = [
      { name: OURS, run: () => ask(mock, path, init) },
      { name: MSW, run: () => ask(mock, path, init, lookUp) },
    ];
    return { work, pair };
  });
};

/** One request of each kind, in turns. */
const compareMixed = async (work: string, all: ReturnType<typeof contendersOf>): Promise<Comparison> => {
  const mixed = [OURS, MSW].map((name, index) => ({
    name,
    run: async () => {
      for (const { pair } of all) {
        await pair[index]?.run();
      }
    },
  }));
  return { work, timings: await measure(mixed, { rounds: 21, runs: 500, warmUp: 10 }) };
};

export const compareInProcess = async (): Promise<Comparison[]> => {
  const plain = contendersOf(worldOf(1_000));
  const comparisons: Comparison[] = [];
  for (const { work, pair } of plain) {
    comparisons.push({ work, timings: await measure(pair, { rounds: 21, runs: 1_000, warmUp: 10 }) });
  }
  comparisons.push(await compareMixed(MIXED, plain));
  const faulty = worldOf(1_000);
  planFaults(faulty);
  comparisons.push(await compareMixed(FAULTY, contendersOf(faulty)));
  return comparisons;
};
