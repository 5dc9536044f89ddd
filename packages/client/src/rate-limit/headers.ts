import type { RateLimitInfo } from '../errors/index.ts';

/** The three forms of an HTTP-date (RFC 9110, section 5.6.7). The last one has no time zone and means UTC. */
const WITH_ZONE = /^[A-Z][a-z]+, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/;
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

const parseHttpDate = (text: string): number =>
  Date.parse(WITH_ZONE.test(text) ? text : ASCTIME.test(text) ? `${text} GMT` : '');

/** Wider than the integer that the header must be: a fraction or an exponent is a delay, too. */
const NUMBER = /^[-+.\de]+$/i;

/** A header that was sent twice arrives as a list. The comma inside an HTTP-date follows the day of the week. */
const SEPARATOR = /(?<!\b[A-Z][a-z]{2}(?:[a-z]*day)?),/;

/**
 * Parses `Retry-After`: a number of seconds, or an HTTP-date (RFC 9110, section 10.2.3). The longest of several counts,
 * and fractions are rounded up, because nothing may be sent early.
 *
 * @param now Milliseconds since 1970, for a date when the response has no `Date` header.
 * @param date The `Date` header of the same response: the difference is right even if the clock here is not.
 * @returns Milliseconds: a safe integer of at least 0. Undefined when the header is malformed.
 */
const parseRetryAfter = (value: string, now: number, date: string | undefined): number | undefined => {
  let longest: number | undefined;
  // Parsed once, not for each item.
  const sentAt = parseHttpDate(date?.split(SEPARATOR)[0]?.trim() ?? '') || now;
  for (const item of value.split(SEPARATOR)) {
    const text = item.trim();
    const ms = NUMBER.test(text) ? Math.ceil(Number(text)) * 1_000 : Math.ceil(parseHttpDate(text) - sentAt);
    if (!Number.isNaN(ms)) {
      longest = Math.max(longest ?? 0, Math.min(ms, Number.MAX_SAFE_INTEGER));
    }
  }
  return longest;
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
