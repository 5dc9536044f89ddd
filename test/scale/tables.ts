import type { Table } from '../../scripts/bench/tables.ts';
import type { Cost, Costs } from './measure-costs.ts';
import type { Measures } from './measures.ts';

/** The share of a core that is planned for: the rest is for peaks, and for a neighbor that fails. */
const PLANNED = 0.5;

const short = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 });

const rounded = (value: number): string => Math.round(value).toLocaleString('en');

const micros = (ms: number | undefined): string => (ms === undefined ? '' : `${short(ms * 1_000)} µs`);

const percent = (value: number): string => `${(100 * value).toFixed(0)} %`;

/** The measured costs of one delivery and of one place. */
export const costTable = ({ queue, work, dedupe, take, release, refuse }: Costs): Table => {
  const row = (name: string, { nodeMs, redisMs, bytes }: Cost, stays = true) => [
    name,
    micros(nodeMs),
    micros(redisMs),
    stays ? rounded(bytes) : '',
  ];
  return {
    columns: ['One', 'CPU of Node', 'CPU of Redis', 'bytes in Redis'],
    rows: [
      row('delivery received over HTTP, verified and queued with BullMQ', queue),
      row('job taken by a worker, claimed, and marked as handled', work, false),
      row('delivery claimed and marked with `redisDedupeStore`, without a queue', dedupe),
      row('place of a budget taken', take),
      row('place released', release, false),
      row('process refused, and put in the line', refuse),
    ],
  };
};

/** What 100,000 deliveries a second need. */
export const deliveryNeeds = ({ queue, work, dedupe }: Costs): Table => {
  const cores = (name: string, ms: number) => [
    name,
    `100,000/s × ${micros(ms)} ÷ ${PLANNED}`,
    Math.ceil((100 * ms) / PLANNED).toLocaleString('en'),
  ];
  const memory = (name: string, seconds: number, { bytes }: Cost) => [
    `memory ${name}`,
    `100,000/s × ${rounded(seconds)} s × ${rounded(bytes)} B`,
    `${short((1e5 * seconds * bytes) / 1e9)} GB`,
  ];
  return {
    columns: ['For 100,000 deliveries a second', 'calculation', 'needed'],
    rows: [
      cores('cores for receivers', queue.nodeMs),
      cores('cores for workers, without the handlers', work.nodeMs),
      cores('queues, each on a Redis of its own', queue.redisMs + work.redisMs - dedupe.redisMs),
      cores('nodes of Redis Cluster for dedupe', dedupe.redisMs),
      memory('to remember deliveries for an hour', 3_600, dedupe),
      memory('to remember deliveries for a day, the default', 86_400, dedupe),
      memory('for each minute in which workers are down', 60, queue),
    ],
  };
};

/** What one budget for 10,000 processes needs, and how far it goes. */
export const budgetNeeds = ({ take, release, refuse }: Costs): Table => {
  const most = (name: string, ...costs: readonly Cost[]) => [
    `requests a second while ${name}`,
    `${PLANNED} ÷ (${costs.map(({ redisMs }) => micros(redisMs)).join(' + ')})`,
    Math.floor((PLANNED * 1_000) / costs.reduce((sum, { redisMs }) => sum + redisMs, 0)).toLocaleString('en'),
  ];
  return {
    columns: ['One budget', 'calculation', 'result'],
    rows: [
      most('there is room', take, release),
      most('every process waits', refuse, take, release),
      [
        'memory for a window of 10,000 requests and a line of 10,000 processes',
        `10,000 × ${rounded(take.bytes)} B + 10,000 × ${rounded(refuse.bytes)} B`,
        `${short((take.bytes + refuse.bytes) / 100)} MB`,
      ],
      [
        'time for all 10,000 processes to ask at once',
        `10,000 × ${micros(refuse.redisMs)}`,
        `${short(10 * refuse.redisMs)} s`,
      ],
    ],
  };
};

/** What each simulation shows. */
export const simulationTable = (measured: readonly (Measures & { readonly name: string })[]): Table => ({
  columns: [
    '10,000 processes',
    'use of the limit',
    'fullest window',
    'Jain’s index',
    'least served 1 %',
    'Redis calls per request',
    'in the busiest second',
  ],
  rows: measured.map((one) => [
    one.name,
    percent(one.use),
    percent(one.fullest),
    one.fairness.toFixed(3),
    percent(one.least),
    one.redisCallsPerRequest.toFixed(1),
    rounded(one.peakRedisCalls),
  ]),
});
