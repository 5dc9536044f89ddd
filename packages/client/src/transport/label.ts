import type { AttemptEvent } from '../options/hook-events.ts';

/** What messages call a call: its operation, or the method and path of a `confab.request`. */
export const labelOf = ({
  operation,
  method,
  url,
}: Pick<AttemptEvent, 'operation' | 'method' | 'url'>): string =>
  // A query may contain a phone number.
  operation === 'request'
    ? `${method} ${url.replace(/\?.*|^https?:\/\/[^/]*/gs, '').slice(0, 200)}`
    : operation;
