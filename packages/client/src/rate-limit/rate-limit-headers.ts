import { parseRetryAfter } from '../retry/retry-after.ts';

/** What a response says of the rate limit; undefined where it says nothing that makes sense. */
export interface RateLimitReading {
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  readonly retryAfterMs: number | undefined;
}

const count = (value: string | undefined, least: number): number | undefined => {
  const number = value !== undefined && /^\s*\d+\s*$/.test(value) ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) && number >= least ? number : undefined;
};

/** @param headers Names in lower case. */
export const readRateLimit = (headers: Readonly<Record<string, string>>, now: number): RateLimitReading => ({
  // A limit of 0 would stop the client for good on the word of one broken header.
  limit: count(headers['x-ratelimit-limit'], 1),
  remaining: count(headers['x-ratelimit-remaining'], 0),
  retryAfterMs: parseRetryAfter(headers['retry-after'], now, headers.date),
});
