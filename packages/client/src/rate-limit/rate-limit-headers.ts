import type { RateLimitInfo } from '../errors/index.ts';
import { parseRetryAfter } from './retry-after.ts';

const parseCount = (value: string | undefined, least: number): number | undefined => {
  const number = value !== undefined && /^\s*\d+\s*$/.test(value) ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) && number >= least ? number : undefined;
};

/**
 * Reads the rate-limit headers of a response.
 *
 * @param headers Names in lower case.
 * @param now Milliseconds since 1970.
 */
export const readRateLimit = (headers: Readonly<Record<string, string>>, now: number): RateLimitInfo => ({
  // A limit of 0, sent by mistake, would stop the client for good.
  limit: parseCount(headers['x-ratelimit-limit'], 1),
  remaining: parseCount(headers['x-ratelimit-remaining'], 0),
  retryAfterMs: parseRetryAfter(headers['retry-after'], now, headers.date),
});
