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
 * @throws {RangeError} For anything but whole numbers from 0 up, and a positive stretch of time.
 */
export const toRateLimit = (value: number | RateLimit): RateLimit => {
  const limit = typeof value === 'number' ? { requests: value, perMs: 60_000 } : value;
  const whole = Number.isInteger(limit.requests) || limit.requests === Number.POSITIVE_INFINITY;
  if (!whole || limit.requests < 0 || !(limit.perMs > 0) || !Number.isFinite(limit.perMs)) {
    throw new RangeError(
      `A rate limit is a whole number of requests a minute, or { requests, perMs }; not ${JSON.stringify(value)}`,
    );
  }
  return limit;
};
