/**
 * Reads `Retry-After`: a number of seconds, or an HTTP-date (RFC 9110, section 10.2.3).
 *
 * @returns Milliseconds from `now`, not below 0. Undefined when the header is absent or makes no sense.
 */
export const parseRetryAfter = (value: string | undefined, now: number): number | undefined => {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) {
    const ms = Number(text) * 1_000;
    return Number.isSafeInteger(ms) ? ms : undefined;
  }
  // `Date.parse` takes "-5", "1.5" and "May" for dates: only what starts with a weekday is an HTTP-date.
  const date = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
};
