import type { PlannedFault } from '../../api/types.ts';

type Fault = NonNullable<PlannedFault['fault']>;

/** A named fault. */
export type Preset = readonly [name: string, effect: string, fault: Fault];

/** The most frequent failures of services. The fields of a fault have the order in which the mock lists them. */
export const PRESETS: readonly Preset[] = [
  ['Server error', 'Responds with 500.', { status: 500 }],
  ['Unavailable', 'Responds with 503: retry after 2 s.', { status: 503, headers: { 'retry-after': '2' } }],
  ['Rate limit', 'Responds with 429: retry after 5 s.', { status: 429, headers: { 'retry-after': '5' } }],
  ['Slow', 'Waits for 2 seconds first.', { delayMs: 2_000 }],
  ['Broken connection', 'Closes the connection.', { network: 'error' }],
  ['Lost response', 'Does the work, then cuts the response in half.', { network: 'truncate' }],
  ['No response', 'Lets the request wait forever.', { network: 'hang' }],
  ['Flaky', 'Every fifth request or so gets a 500.', { status: 500, probability: 0.2 }],
];

/** The planned fault of a preset for all requests, if it is switched on. */
export const plannedOf = ([, , fault]: Preset, planned: readonly PlannedFault[]): PlannedFault | undefined =>
  planned.find(
    (each) => each.operation === '*' && !each.once && JSON.stringify(each.fault) === JSON.stringify(fault),
  );
