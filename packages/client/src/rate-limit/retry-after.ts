/** The three forms of an HTTP-date (RFC 9110, section 5.6.7). The last one has no time zone and means UTC. */
const WITH_ZONE = /^[A-Z][a-z]+, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/;
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

const parseHttpDate = (text: string): number =>
  Date.parse(
    WITH_ZONE.test(text)
      ? text
      : ASCTIME.test(text)
        ? `${text} GMT`
        : // Stryker disable next-line StringLiteral: No other text is a date either.
          '',
  );

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
 * @returns Milliseconds: a safe integer of at least 0. Undefined when the header is absent or malformed.
 */
export const parseRetryAfter = (
  value: string | undefined,
  now: number,
  date?: string | undefined,
): number | undefined => {
  let longest: number | undefined;
  // Once for all items: of two long lists, each would be read as often as the other has items.
  const sentAt = parseHttpDate(date?.split(SEPARATOR)[0]?.trim() ?? '') || now;
  for (const item of value?.split(SEPARATOR) ?? []) {
    const text = item.trim();
    const ms = NUMBER.test(text) ? Math.ceil(Number(text)) * 1_000 : Math.ceil(parseHttpDate(text) - sentAt);
    if (!Number.isNaN(ms)) {
      longest = Math.max(longest ?? 0, Math.min(ms, Number.MAX_SAFE_INTEGER));
    }
  }
  return longest;
};
