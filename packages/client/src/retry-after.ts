const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const TIME = '\\d\\d:\\d\\d:\\d\\d';

/** The three forms of an HTTP-date (RFC 9110, section 5.6.7); the last has no zone, and means UTC. */
const WITH_ZONE = new RegExp(`^${DAY}[a-z]*, \\d\\d[ -]${MONTH}[ -]\\d{2,4} ${TIME} GMT$`);
const ASCTIME = new RegExp(`^${DAY} ${MONTH} [ \\d]\\d ${TIME} \\d{4}$`);

const parseHttpDate = (text: string): number => {
  if (WITH_ZONE.test(text)) return Date.parse(text);
  return ASCTIME.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
};

/**
 * Reads `Retry-After`: a number of seconds, or an HTTP-date (RFC 9110, section 10.2.3).
 *
 * @returns Milliseconds from `now`, not below 0. Undefined when the header is absent or makes no sense.
 */
export const parseRetryAfter = (value: string | undefined, now: number): number | undefined => {
  const text = value?.trim() ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Math.ceil(Math.max(0, parseHttpDate(text) - now));
  return Number.isSafeInteger(ms) ? ms : undefined;
};
