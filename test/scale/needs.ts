import type { Table } from '../../scripts/bench/tables.ts';
import type { Costs } from './measure-all.ts';

/** Deliveries a second. */
const DELIVERIES = 100_000;

/** The share of a core that is planned for: the rest is for peaks, and for a neighbor that fails. */
const PLANNED = 0.5;

const SECONDS = { minute: 60, hour: 3_600, day: 86_400 } as const;

const GB = 1e9;

const whole = (value: number): string => Math.ceil(value).toLocaleString('en');

const short = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 });

const micros = (ms: number): string => `${short(ms * 1_000)} µs`;

/** The measured costs of one delivery and of one place. */
export const costTable = ({ delivery, budget }: Costs): Table => ({
  columns: ['One', 'CPU of Node', 'CPU of Redis', 'bytes in Redis'],
  rows: [
    [
      'delivery received over HTTP, verified and queued with BullMQ',
      micros(delivery.receiverMs),
      micros(delivery.redisEnqueueMs),
      whole(delivery.bytesPerJob),
    ],
    [
      'job taken by a worker, claimed, and marked as handled',
      micros(delivery.workerMs),
      micros(delivery.redisWorkMs),
      '',
    ],
    [
      'delivery claimed and marked with `redisDedupeStore`, without a queue',
      '',
      micros(delivery.redisDedupeMs),
      whole(delivery.bytesPerRemembered),
    ],
    ['place of a budget taken', '', micros(budget.takeMs), whole(budget.bytesPerPlace)],
    ['place released', '', micros(budget.releaseMs), ''],
    ['process refused, and put in the line', '', micros(budget.refuseMs), whole(budget.bytesPerWaiter)],
  ],
});

/** Cores for work that takes some CPU for each delivery. */
const cores = (ms: number): string => whole((DELIVERIES * ms) / 1_000 / PLANNED);

const calculation = (cost: string): string => `${whole(DELIVERIES)}/s × ${cost} ÷ ${PLANNED}`;

const gigabytes = (seconds: number, bytes: number): string =>
  `${short((DELIVERIES * seconds * bytes) / GB)} GB`;

/** What 100,000 deliveries a second need. */
export const deliveryNeeds = ({ delivery }: Costs): Table => {
  const { receiverMs, workerMs, redisEnqueueMs, redisWorkMs, redisDedupeMs } = delivery;
  const { bytesPerJob, bytesPerRemembered } = delivery;
  const queueMs = redisEnqueueMs + redisWorkMs - redisDedupeMs;
  const [enqueue, work, dedupe] = [redisEnqueueMs, redisWorkMs, redisDedupeMs].map((ms) => short(ms * 1_000));
  const remembered = (span: 'hour' | 'day') => [
    `memory to remember deliveries for ${span === 'day' ? 'a day, the default' : 'an hour'}`,
    `${whole(DELIVERIES)}/s × ${whole(SECONDS[span])} s × ${whole(bytesPerRemembered)} B`,
    gigabytes(SECONDS[span], bytesPerRemembered),
  ];
  return {
    columns: ['For 100,000 deliveries a second', 'calculation', 'needed'],
    rows: [
      ['cores for receivers', calculation(micros(receiverMs)), cores(receiverMs)],
      ['cores for workers, without the handlers', calculation(micros(workerMs)), cores(workerMs)],
      [
        'queues, each on a Redis of its own',
        calculation(`(${enqueue} + ${work} − ${dedupe}) µs`),
        cores(queueMs),
      ],
      ['nodes of Redis Cluster for dedupe', calculation(micros(redisDedupeMs)), cores(redisDedupeMs)],
      remembered('hour'),
      remembered('day'),
      [
        'memory for each minute in which workers are down',
        `${whole(DELIVERIES)}/s × 60 s × ${whole(bytesPerJob)} B`,
        gigabytes(SECONDS.minute, bytesPerJob),
      ],
    ],
  };
};

/** What one budget for 10,000 processes needs, and how far it goes. */
export const budgetNeeds = ({ budget }: Costs): Table => {
  const { takeMs, releaseMs, refuseMs, bytesPerPlace, bytesPerWaiter } = budget;
  const waits = takeMs + releaseMs + refuseMs;
  const most = (ms: number) => Math.floor((PLANNED * 1_000) / ms).toLocaleString('en');
  const mb = (bytes: number) => `${short(bytes / 1e6)} MB`;
  return {
    columns: ['One budget', 'calculation', 'result'],
    rows: [
      [
        'requests a second while there is room',
        `${PLANNED} ÷ (${micros(takeMs)} + ${micros(releaseMs)})`,
        most(takeMs + releaseMs),
      ],
      [
        'requests a second while every process waits',
        `${PLANNED} ÷ (${micros(refuseMs)} + ${micros(takeMs)} + ${micros(releaseMs)})`,
        most(waits),
      ],
      [
        'memory for a window of 10,000 requests and a line of 10,000 processes',
        `10,000 × ${whole(bytesPerPlace)} B + 10,000 × ${whole(bytesPerWaiter)} B`,
        mb(10_000 * (bytesPerPlace + bytesPerWaiter)),
      ],
      [
        'time for all 10,000 processes to ask at once',
        `10,000 × ${micros(refuseMs)}`,
        `${short(10 * refuseMs)} s`,
      ],
    ],
  };
};
