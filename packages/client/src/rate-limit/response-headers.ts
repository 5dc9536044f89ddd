import type { RateLimitInfo } from '../errors/index.ts';
import type { Clock } from '../time/clock.ts';
import { dateOf } from '../time/clock.ts';

/**
 * Parses an HTTP-date (RFC 9110, section 5.6.7) in any of its three formats. `Date.parse` alone would accept other texts.
 *
 * @param now Milliseconds since 1970: a year of two digits is at most 50 years later.
 * @returns Milliseconds since 1970; NaN for any other text.
 */
const parseHttpDate = (text: string, now: number): number => {
  const latest = new Date(now).getUTCFullYear() + 50;
  const date = text
    .replace(
      /^[A-Z][a-z]+day(, \d\d)-(\w{3})-(\d\d)/,
      (_, day, month, year) => `Day${day} ${month} ${latest - ((latest - year) % 100)}`,
    )
    .replace(/^[A-Z][a-z]{2} (\w{3}) ([ \d]\d) (\S+) (\d{4})$/, 'Day, $2 $1 $4 $3 GMT')
    .replace(',  ', ', 0')
    .slice(3);
  const time = Date.parse(date.slice(2));
  // `Date.parse` accepts days that the month does not have.
  return new Date(time).toUTCString().slice(3) === date ? time : Number.NaN;
};

const SECONDS = String.raw`\s*\d+(?:\.\d+)?\s*`;
const LIST_OF_SECONDS = new RegExp(`^${SECONDS}(?:,${SECONDS})*$`);

/**
 * Parses `Retry-After`: a number of seconds, or an HTTP-date (RFC 9110, section 10.2.3). The client must not send early, so
 * it also reads two values that the RFC does not allow: it rounds up fractions, which some services send, and it takes the
 * largest number of a list, because a header that is sent twice arrives as a list.
 *
 * @param now Milliseconds since 1970, for a date when the response has no `Date` header.
 * @param date The `Date` header of the same response. The difference between the two is right even if this clock is wrong.
 * @returns Milliseconds: a safe integer of at least 0. Undefined when the header is malformed.
 */
const parseRetryAfter = (value: string, now: number, date = ''): number | undefined => {
  const ms = LIST_OF_SECONDS.test(value)
    ? Math.ceil(Math.max(...value.split(',').map(Number))) * 1_000
    : Math.ceil(parseHttpDate(value, now) - (parseHttpDate(date, now) || now));
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), Number.MAX_SAFE_INTEGER);
};

const parseCount = (value: string | undefined, min: number): number | undefined => {
  const number = value !== undefined && /^\s*\d+\s*$/.test(value) ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) && number >= min ? number : undefined;
};

/**
 * Reads the rate-limit headers of a response.
 *
 * @param headers Names in lower case.
 */
export const readRateLimit = (headers: Readonly<Record<string, string>>, clock: Clock): RateLimitInfo => {
  const { date, 'retry-after': retryAfter } = headers;
  return {
    // A limit of 0, sent by mistake, would stop the client for good.
    limit: parseCount(headers['x-ratelimit-limit'], 1),
    remaining: parseCount(headers['x-ratelimit-remaining'], 0),
    retryAfterMs:
      retryAfter === undefined ? undefined : parseRetryAfter(retryAfter, dateOf(clock, clock.now()), date),
  };
};
