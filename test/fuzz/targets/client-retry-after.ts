import { parseRetryAfter, readRateLimit } from '../../../packages/client/src/rate-limit/headers.ts';
import type { Target } from '../engine/target.ts';
import { hold, same } from '../engine/target.ts';

const NOW = Date.UTC(2026, 0, 31, 12);
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const TIME = String.raw`(?<hours>\d\d):(?<minutes>\d\d):(?<seconds>\d\d)`;
const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const LONG_DAY = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';

/** The three forms of RFC 9110. Two digits of a year are read from 2000 to 2049 only, where readers agree. */
const FORMS = [
  new RegExp(`^${DAY}, (?<day>\\d\\d) (?<month>[A-Z][a-z]{2}) (?<year>\\d{4}) ${TIME} GMT$`),
  new RegExp(`^${LONG_DAY}, (?<day>\\d\\d)-(?<month>[A-Z][a-z]{2})-(?<year>[0-4]\\d) ${TIME} GMT$`),
  new RegExp(`^${DAY} (?<month>[A-Z][a-z]{2}) (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`),
];

/** Reads a date without `Date.parse`. Undefined for any other text, and for dates that do not exist. */
const referenceDate = (text: string): number | undefined => {
  const match = FORMS.map((form) => form.exec(text)).find((found) => found !== null);
  const { day, month, year = '', hours, minutes, seconds } = match?.groups ?? {};
  const monthAt = MONTHS.indexOf(month ?? '');
  const date = Number(day);
  const of = Number(year.length === 2 ? `20${year}` : year);
  // Years below 100 mean 19xx to Date, and Date has no leap seconds.
  if (monthAt < 0 || of < 1000 || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) {
    return undefined;
  }
  const ms = Date.UTC(of, monthAt, date, Number(hours), Number(minutes), Number(seconds));
  return new Date(ms).getUTCDate() === date ? ms : undefined;
};

/** What a single value means, if the specification says so. */
const referenceDelay = (value: string, sentAt: number): number | undefined => {
  if (/^\d{1,9}$/.test(value)) {
    return Number(value) * 1_000;
  }
  const at = referenceDate(value);
  return at === undefined ? undefined : Math.max(0, at - sentAt);
};

/** The first line is `Retry-After`, the second `Date`, the others are the two limits. */
export const target: Target = {
  checks:
    'Seconds and all forms of dates, lists and wrong clocks, against a parser without `Date.parse`; never negative, never early; the limits are whole numbers in range',
  maxBytes: 400,
  work: (bytes) => 400 + 40 * bytes,
  words: [
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
    ', ',
    'GMT',
    '1e3',
  ],
  run: (input) => {
    const [value = '', date, limit, remaining] = Buffer.from(input).toString('latin1').split('\n');
    const ms = parseRetryAfter(value, NOW, date);
    hold(ms === undefined || (Number.isSafeInteger(ms) && ms >= 0), `${ms} is not a delay`);

    const trimmed = value.trim();
    const sentAt = referenceDate(date?.trim() ?? '') ?? (date?.trim() ? undefined : NOW);
    const wanted = sentAt === undefined ? undefined : referenceDelay(trimmed, sentAt);
    if (wanted !== undefined) {
      same(ms, wanted, 'a single valid value');
    }
    if (/[^\x20-\x7e]/.test(trimmed) === false && !/\d/.test(value)) {
      hold(ms === undefined, `${ms} from a value without a digit`);
    }
    // A list is as long as its longest item.
    if (ms !== undefined) {
      const twice = parseRetryAfter(`${value},${value}`, NOW, date);
      same(twice, ms, 'the same value twice');
      const later = parseRetryAfter(`999999999, ${value}`, NOW, date);
      hold((later ?? 0) >= Math.max(ms, 999_999_999_000), `a longer item shortens the delay to ${later}`);
    }

    const info = readRateLimit(
      {
        'retry-after': value,
        ...(date === undefined ? {} : { date }),
        ...(limit === undefined ? {} : { 'x-ratelimit-limit': limit }),
        ...(remaining === undefined ? {} : { 'x-ratelimit-remaining': remaining }),
      },
      NOW,
    );
    same(info.retryAfterMs, ms, 'the delay among the headers');
    const countOf = (text: string | undefined, least: number) => {
      const digits = text?.trim() ?? '';
      const isCount = digits !== '' && [...digits].every((digit) => digit >= '0' && digit <= '9');
      return isCount && BigInt(digits) <= BigInt(Number.MAX_SAFE_INTEGER) && Number(digits) >= least
        ? Number(digits)
        : undefined;
    };
    same(info.limit, countOf(limit, 1), 'the limit');
    same(info.remaining, countOf(remaining, 0), 'the remaining requests');
  },
};
