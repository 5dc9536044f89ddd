import type { PlannedFault } from '../../api/types.ts';

type Fault = NonNullable<PlannedFault['fault']>;

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
