import type { Signature } from '@confab/webhooks';
import { standardWebhooks } from '@confab/webhooks';
import type * as z from 'zod/mini';
import type { KeyInit, RateLimit } from '../world/keys/check-key.ts';
import type { Endpoint } from '../world/webhooks/endpoint.ts';
import type { EndpointSchema, KeyInitSchema } from './schemas.ts';

// What callers send as JSON, as the mock's own options.

interface JsonRateLimit {
  readonly requests: number | null;
  readonly perMs: number;
}

/** JSON has no `Infinity`: no limit is null. */
export const toLimit = (limit: number | null | JsonRateLimit): number | RateLimit => {
  if (limit === null) {
    return Number.POSITIVE_INFINITY;
  }
  return typeof limit === 'number'
    ? limit
    : { ...limit, requests: limit.requests ?? Number.POSITIVE_INFINITY };
};

export const toKey = ({ rateLimit, ...init }: z.output<typeof KeyInitSchema>): KeyInit =>
  rateLimit === undefined ? init : { ...init, rateLimit: toLimit(rateLimit) };

export const toEndpoint = ({ signature, timeout, ...rest }: z.output<typeof EndpointSchema>): Endpoint => ({
  ...rest,
  // The mock checks the options of a signature, and suggests known names.
  signature: signature === 'standard-webhooks' ? standardWebhooks() : (signature as Signature | undefined),
  timeout: timeout === null ? Number.POSITIVE_INFINITY : timeout,
});
