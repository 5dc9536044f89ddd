/** The three forms of an HTTP-date (RFC 9110, section 5.6.7); the last has no zone, and means UTC. */
const WITH_ZONE = /^[A-Z][a-z]+, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/;
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

const parseHttpDate = (text: string): number =>
  Date.parse(WITH_ZONE.test(text) ? text : ASCTIME.test(text) ? `${text} GMT` : '');

/** More than the integer that it should be: whoever sends a fraction or an exponent means a delay, too. */
const NUMBER = /^[-+.\de]+$/i;

/** A header that was sent twice arrives as a list. The comma inside an HTTP-date comes after the day of the week. */
const BETWEEN = /(?<!\b[A-Z][a-z]{2}(?:[a-z]*day)?),/;

/**
 * Reads `Retry-After`: a number of seconds, or an HTTP-date (RFC 9110, section 10.2.3). Of several the longest counts,
 * and fractions are rounded up, so that nothing is ever sent early.
 *
 * @param now Milliseconds since 1970, for a date when the response has no `date` of its own.
 * @param date The `Date` header of the same response: the difference holds whatever the clock here says.
 * @returns Milliseconds, not below 0 and never too many to be a safe integer. Undefined when the header is absent or
 * makes no sense.
 */
export const parseRetryAfter = (
  value: string | undefined,
  now: number,
  date?: string | undefined,
): number | undefined => {
  let longest: number | undefined;
  for (const item of value?.split(BETWEEN) ?? []) {
    const text = item.trim();
    // A header that was sent twice arrives as a list, too.
    const sentAt = parseHttpDate(date?.split(BETWEEN)[0]?.trim() ?? '') || now;
    const ms = NUMBER.test(text) ? Math.ceil(Number(text)) * 1_000 : Math.ceil(parseHttpDate(text) - sentAt);
    if (!Number.isNaN(ms)) {
      longest = Math.max(longest ?? 0, Math.min(ms, Number.MAX_SAFE_INTEGER));
    }
  }
  return longest;
};
