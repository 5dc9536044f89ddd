import type { RateLimit } from '@confab/client';
import { objectOf } from '@confab/internal';
import type { Check } from '../../errors/check.ts';
import { checkThat } from '../../errors/check.ts';

export type { RateLimit } from '@confab/client';

/** Converts a number of requests per minute. */
export const toRateLimit = (value: number | RateLimit): RateLimit =>
  typeof value === 'number'
    ? Object.freeze({ requests: value, perMs: 60_000 })
    : Object.freeze({ requests: value.requests, perMs: value.perMs });

const isCount = (value: unknown): boolean =>
  value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && Number(value) >= 0);

/**
 * Accepts a number of requests per minute, or a {@link RateLimit}.
 *
 * @param more Checks for further fields of the object.
 */
export const rateLimitWith = (more: Readonly<Record<string, Check>> = {}): Check => {
  const words = 'a whole number of requests per minute, Infinity, or { requests, perMs }';
  const isLimit = objectOf<RateLimit>(
    words,
    {
      requests: checkThat(isCount, 'a whole number of at least 0, or Infinity'),
      perMs: checkThat(
        (ms) => Number.isFinite(ms) && Number(ms) > 0,
        'a number of milliseconds greater than 0',
      ),
      ...more,
    },
    ['requests', 'perMs'],
  );
  return (name, value) => (typeof value === 'object' ? isLimit : checkThat(isCount, words))(name, value);
};
