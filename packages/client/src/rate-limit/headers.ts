import type { RateLimitInfo } from '../errors/index.ts';
import type { Clock } from '../time/clock.ts';
import { dateOf } from '../time/clock.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = `(?<month>${MONTHS.join('|')})`;
const TIME = String.raw`(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d):(?<second>[0-5]\d|60)`;

/** The forms of an HTTP-date (RFC 9110, section 5.6.7), also those that servers should no longer send. */
const HTTP_DATES = [
  String.raw`[A-Z][a-z]{2}, (?<day>\d\d) ${MONTH} (?<year>\d{4}) ${TIME} GMT`,
  String.raw`[A-Z][a-z]+day, (?<day>\d\d)-${MONTH}-(?<year>\d\d) ${TIME} GMT`,
  String.raw`[A-Z][a-z]{2} ${MONTH} (?<day>[ \d]\d) ${TIME} (?<year>\d{4})`,
].map((form) => new RegExp(`^${form}$`));

/**
 * Parses an HTTP-date. `Date.parse` accepts other texts, too.
 *
 * @param now Milliseconds since 1970: a year of two digits is at most 50 years later.
 * @returns Milliseconds since 1970; NaN for any other text.
 */
const parseHttpDate = (text: string, now: number): number => {
  const match = HTTP_DATES.map((form) => form.exec(text)).find(Boolean);
  const found: Readonly<Record<string, string>> = match?.groups ?? {};
  const part = (name: string) => Number(found[name]);
  const latest = new Date(now).getUTCFullYear() + 50;
  const year = part('year') < 100 ? latest - ((latest - part('year')) % 100) : part('year');
  const month = MONTHS.indexOf(found.month ?? '');
  const isInMonth = new Date(Date.UTC(year, month, part('day'))).getUTCDate() === part('day');
  return isInMonth
    ? Date.UTC(year, month, part('day'), part('hour'), part('minute'), part('second'))
    : Number.NaN;
};

/**
 * Parses `Retry-After`: a number of seconds, or an HTTP-date (RFC 9110, section 10.2.3). Nothing may be sent early, so two
 * extensions of the RFC are accepted: fractions, which some services send, are rounded up, and of a header that was sent
 * twice, which arrives as a list, the longest time counts.
 *
 * @param now Milliseconds since 1970, for a date when the response has no `Date` header.
 * @param date The `Date` header of the same response: the difference is right even if the clock here is not.
 * @returns Milliseconds: a safe integer of at least 0. Undefined when the header is malformed.
 */
const parseRetryAfter = (value: string, now: number, date = ''): number | undefined => {
  const numbers = value
    .split(',')
    .map((text) => (/^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : Number.NaN));
  const asked = Math.ceil(Math.max(...numbers)) * 1_000;
  const ms = Number.isNaN(asked)
    ? Math.ceil(parseHttpDate(value, now) - (parseHttpDate(date, now) || now))
    : asked;
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
