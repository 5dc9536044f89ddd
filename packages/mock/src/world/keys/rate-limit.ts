import { invalidArgument } from '../../errors/invalid-argument.ts';
/** How many requests a key may make in any stretch of time. */
export interface RateLimit {
  /** Requests that are let through; `Infinity` for no limit. */
  readonly requests: number;
  /** Milliseconds of the stretch. */
  readonly perMs: number;
}

/**
 * Reads a rate limit as users write it.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when `requests` is not a whole number (0 or more), or `perMs` not positive.
 */
export const toRateLimit = (value: number | RateLimit): RateLimit => {
  const limit = typeof value === 'number' ? { requests: value, perMs: 60_000 } : value;
  const whole = Number.isInteger(limit.requests) || limit.requests === Number.POSITIVE_INFINITY;
  if (!whole || limit.requests < 0 || !(limit.perMs > 0) || !Number.isFinite(limit.perMs)) {
    throw invalidArgument(
      `A rate limit must be a whole number of requests per minute, or { requests, perMs }; got ${JSON.stringify(value)}`,
    );
  }
  return limit;
};
