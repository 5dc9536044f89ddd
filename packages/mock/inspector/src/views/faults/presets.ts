import type { PlannedFault } from '../../api/types.ts';

type Fault = NonNullable<PlannedFault['fault']>;

/** A fault that has a name of its own. */
export interface Preset {
  readonly name: string;
  readonly effect: string;
  readonly fault: Fault;
}

/** What services do to their clients most often; the fields of each fault in the order in which the mock lists them. */
export const PRESETS: readonly Preset[] = [
  { name: 'Server error', effect: 'Responds with 500.', fault: { status: 500 } },
  {
    name: 'Unavailable',
    effect: 'Responds with 503 and asks to retry after 2 seconds.',
    fault: { status: 503, headers: { 'retry-after': '2' } },
  },
  {
    name: 'Rate limit',
    effect: 'Responds with 429 and asks to retry after 5 seconds.',
    fault: { status: 429, headers: { 'retry-after': '5' } },
  },
  { name: 'Slow', effect: 'Waits for 2 seconds first.', fault: { delayMs: 2_000 } },
  { name: 'Broken connection', effect: 'Closes the connection.', fault: { network: 'error' } },
  {
    name: 'Lost response',
    effect: 'Does the work, then cuts the response in half.',
    fault: { network: 'truncate' },
  },
  { name: 'Silence', effect: 'Never responds.', fault: { network: 'hang' } },
  {
    name: 'Flaky',
    effect: 'Every fifth request or so gets a 500.',
    fault: { status: 500, probability: 0.2 },
  },
];

/** The planned fault of a preset for all requests, if it is switched on. */
export const plannedOf = ({ fault }: Preset, planned: readonly PlannedFault[]): PlannedFault | undefined =>
  planned.find(
    (each) => each.operation === '*' && !each.once && JSON.stringify(each.fault) === JSON.stringify(fault),
  );

const NETWORK = {
  error: 'connection breaks',
  hang: 'no response',
  truncate: 'cut response',
  stall: 'stalled response',
} as const;

/** A fault in a few words: `status 503, after 2000 ms`. */
export const faultText = ({ status, code, network, delayMs, body, probability }: Fault): string =>
  [
    status === undefined ? undefined : `status ${status}`,
    code,
    network === undefined ? undefined : NETWORK[network],
    body === undefined ? undefined : 'own body',
    delayMs === undefined ? undefined : `after ${delayMs} ms`,
    probability === undefined ? undefined : `${Math.round(probability * 100)} % of requests`,
  ]
    .filter((part) => part !== undefined)
    .join(', ');
