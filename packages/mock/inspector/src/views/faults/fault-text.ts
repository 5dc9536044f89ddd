import type { PlannedFault } from '../../api/types.ts';

/** How a connection fails. */
export const NETWORK = {
  error: 'Broken connection',
  hang: 'No response',
  truncate: 'Lost response',
  stall: 'Stalled response',
} as const;

/** A fault in a few words: `status 503, after 2000 ms`. */
export const faultText = (fault: NonNullable<PlannedFault['fault']>): string => {
  const { status, code, network, headers, delayMs, bytesPerSecond, body, match, probability } = fault;
  const parts = [
    status && `status ${status}`,
    code,
    network && NETWORK[network].toLowerCase(),
    body !== undefined && 'custom body',
    headers && 'custom headers',
    delayMs && `after ${delayMs} ms`,
    bytesPerSecond && `${bytesPerSecond} bytes per second`,
    match && `if it matches ${JSON.stringify(match)}`,
    probability && `${Math.round(probability * 100)} % of requests`,
  ];
  return parts.filter(Boolean).join(', ');
};
