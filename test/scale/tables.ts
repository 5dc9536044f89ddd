import type { Table } from '../../scripts/bench/tables.ts';
import type { Cost, Costs } from './measure-costs.ts';

/** The share of a core that is planned for: the rest is for peaks, and for a neighbor that fails. */
const PLANNED = 0.5;

const short = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 });

const rounded = (value: number): string => Math.round(value).toLocaleString('en');

const micros = (ms: number): string => `${short(ms * 1_000)} µs`;

/** The measured costs of one delivery and of one place. */
export const costTable = ({ receive, work, dedupe, take, release, refuse }: Costs): Table => {
  const row = (name: string, { nodeMs, redisMs, bytes }: Cost) => [
    name,
    micros(nodeMs),
    micros(redisMs),
    bytes < 1 ? '' : rounded(bytes),
  ];
  return {
    columns: ['One', 'CPU of Node', 'CPU of Redis', 'bytes in Redis'],
    rows: [
      row('delivery verified and queued with BullMQ', receive),
      row('job taken by a worker, claimed, and marked as handled', work),
      row('delivery claimed and marked with `redisDedupeStore`, without a queue', dedupe),
      row('place of a budget taken', take),
      row('place released', release),
      row('process refused, and put in the line', refuse),
    ],
  };
};

/** What 100,000 deliveries a second need. */
export const deliveryNeeds = ({ receive, work, dedupe }: Costs): Table => {
  const cores = (name: string, ms: number) => [
    name,
    `100,000/s × ${micros(ms)} ÷ ${PLANNED}`,
    rounded(Math.ceil((100 * ms) / PLANNED)),
  ];
  const memory = (name: string, seconds: number, { bytes }: Cost) => [
    `memory ${name}`,
    `100,000/s × ${rounded(seconds)} s × ${rounded(bytes)} B`,
    `${short(seconds * bytes * 1e-4)} GB`,
  ];
  return {
    columns: ['For 100,000 deliveries a second', 'calculation', 'needed'],
    rows: [
      cores('cores for receivers, without HTTP', receive.nodeMs),
      cores('cores for workers, without the handlers', work.nodeMs),
      cores('queues, each on a Redis of its own', receive.redisMs + work.redisMs - dedupe.redisMs),
      cores('nodes of Redis Cluster for dedupe', dedupe.redisMs),
      memory('to remember deliveries for an hour', 3_600, dedupe),
      memory('to remember deliveries for a day, the default', 86_400, dedupe),
      memory('for each minute in which workers are down', 60, receive),
    ],
  };
};

/** What one budget bears. */
export const budgetNeeds = ({ take, release, refuse }: Costs): Table => {
  const most = (name: string, costs: readonly Cost[]) => [
    `requests a second while ${name}`,
    `${PLANNED} ÷ (${costs.map(({ redisMs }) => micros(redisMs)).join(' + ')})`,
    rounded((PLANNED * 1_000) / costs.reduce((sum, { redisMs }) => sum + redisMs, 0)),
  ];
  const ask = [`10,000 × ${micros(refuse.redisMs)}`, `${short(10 * refuse.redisMs)} s`];
  return {
    columns: ['One budget', 'calculation', 'result'],
    rows: [
      most('there is room', [take, release]),
      most('every process waits', [refuse, take, release]),
      ['time for all 10,000 processes to ask at once', ...ask],
    ],
  };
};
