import type { RateLimit } from '@confab/client';
import { invalidArgument } from '../../errors/invalid-argument.ts';

export type { RateLimit } from '@confab/client';

/**
 * Reads a rate limit as users write it.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when `requests` is not a whole number (0 or more), or `perMs`
 * not positive.
 */
export const toRateLimit = (value: number | RateLimit): RateLimit => {
  const limit = typeof value === 'number' ? { requests: value, perMs: 60_000 } : value;
  const whole = Number.isInteger(limit.requests) || limit.requests === Number.POSITIVE_INFINITY;
  if (!whole || limit.requests < 0 || !(limit.perMs > 0) || !Number.isFinite(limit.perMs)) {
    throw invalidArgument(
      `A rate limit must be a whole number of requests per minute, or { requests, perMs }, got ${JSON.stringify(value)}`,
    );
  }
  return limit;
};
