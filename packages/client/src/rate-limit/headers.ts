import type { RateLimitInfo } from '../errors/index.ts';

/** An HTTP-date as servers send it (RFC 9110, section 5.6.7). `Date.parse` alone would accept other texts. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

const parseHttpDate = (text: string): number => Date.parse(HTTP_DATE.test(text) ? text : '');

/**
 * Parses `Retry-After`: a number of seconds, or an HTTP-date (RFC 9110, section 10.2.3). A header that was sent twice
 * arrives as a list, of which the longest time counts, and fractions are rounded up: nothing may be sent early.
 *
 * @param now Milliseconds since 1970, for a date when the response has no `Date` header.
 * @param date The `Date` header of the same response: the difference is right even if the clock here is not.
 * @returns Milliseconds: a safe integer of at least 0. Undefined when the header is malformed.
 */
const parseRetryAfter = (value: string, now: number, date = ''): number | undefined => {
  const seconds = value
    .split(',')
    .map(Number)
    .filter((number) => !Number.isNaN(number));
  const ms =
    seconds.length > 0
      ? Math.ceil(Math.max(...seconds)) * 1_000
      : Math.ceil(parseHttpDate(value) - (parseHttpDate(date) || now));
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), Number.MAX_SAFE_INTEGER);
};

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
export const readRateLimit = (headers: Readonly<Record<string, string>>, now: number): RateLimitInfo => {
  const retryAfter = headers['retry-after'];
  return {
    // A limit of 0, sent by mistake, would stop the client for good.
    limit: parseCount(headers['x-ratelimit-limit'], 1),
    remaining: parseCount(headers['x-ratelimit-remaining'], 0),
    retryAfterMs: retryAfter === undefined ? undefined : parseRetryAfter(retryAfter, now, headers.date),
  };
};
