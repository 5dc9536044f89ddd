/**
 * Seconds and all forms of dates, lists and wrong clocks, against a parser without `Date.parse`; never negative, never
 * early. The limits are whole numbers in range.
 */
import assert from 'node:assert/strict';
import { createClient, RateLimitError } from '@confab/client';
import * as fc from 'fast-check';
import { nearText, piece } from '../inputs.ts';
import { target as define } from '../target.ts';

const NOW = Date.UTC(2026, 0, 31, 12);
const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';
const TIME = String.raw`(?<hours>\d\d):(?<minutes>\d\d):(?<seconds>\d\d)`;

/** The three forms of RFC 9110. Two digits of a year are read from 2000 to 2049 only, where readers agree. */
const FORMS = [
  new RegExp(
    `^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\\d\\d) (?<month>[A-Z][a-z]{2}) (?<year>\\d{4}) ${TIME} GMT$`,
  ),
  new RegExp(
    `^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\\d\\d)-(?<month>[A-Z][a-z]{2})-(?<year>[0-4]\\d) ${TIME} GMT$`,
  ),
  new RegExp(
    `^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?<month>[A-Z][a-z]{2}) (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`,
  ),
];

/** Reads a date. Undefined for any other text, and for dates that do not exist. */
const referenceDate = (text: string): number | undefined => {
  const match = FORMS.map((form) => form.exec(text)).find((found) => found !== null);
  const { day, month = '-', year = '', hours, minutes, seconds } = match?.groups ?? {};
  const at = MONTHS.indexOf(month) / 3;
  const fullYear = Number(year.length === 2 ? `20${year}` : year);
  // Years below 100 mean 19xx to Date, and Date has no leap seconds.
  if (
    !Number.isInteger(at) ||
    fullYear < 1000 ||
    Number(hours) > 23 ||
    Number(minutes) > 59 ||
    Number(seconds) > 59
  ) {
    return undefined;
  }
  const ms = Date.UTC(fullYear, at, Number(day), Number(hours), Number(minutes), Number(seconds));
  return new Date(ms).getUTCDate() === Number(day) ? ms : undefined;
};

/** What a single value means, if the specification says so. */
const referenceDelay = (value: string, date: string): number | undefined => {
  if (/^\d{1,9}$/.test(value)) {
    return Number(value) * 1_000;
  }
  const [at, sentAt] = [referenceDate(value), date === '' ? NOW : referenceDate(date)];
  return at === undefined || sentAt === undefined ? undefined : Math.max(0, at - sentAt);
};

const referenceCount = (digits: string, least: number): number | undefined =>
  /^\d+$/.test(digits) && BigInt(digits) <= BigInt(Number.MAX_SAFE_INTEGER) && Number(digits) >= least
    ? Number(digits)
    : undefined;

/** The error for a response with these headers. */
const refused = async (headers: Headers): Promise<RateLimitError> => {
  const error: unknown = await createClient({
    baseUrl: 'https://api.example.com',
    apiKey: 'key',
    retry: false,
    rateLimit: false,
    clock: { now: () => NOW, sleep: () => new Promise(() => {}) },
    fetch: async () => new Response('{}', { status: 429, headers }),
  })
    .agents.list()
    .then(assert.fail, (error: unknown) => error);
  assert.ok(error instanceof RateLimitError, error as Error);
  return error;
};

const DATES = [
  'Sat Jan 31 12:00:30 2026',
  'Sat, 31 Jan 2026 12:00:00 GMT',
  'Saturday, 31-Jan-26 12:00:30 GMT',
  'Sun Feb  1 00:00:00 2026',
];
const TOKENS = [
  ...DATES,
  ',',
  ', ',
  ' ',
  'GMT',
  'Feb',
  '29',
  '60',
  '99',
  '999999999',
  '9007199254740993',
  '1e3',
  '1.5',
  '-1',
];
// Headers are Latin-1.
const header = (examples: readonly string[], most: number) =>
  nearText(examples, piece(TOKENS, most)).map((text) => text.replaceAll(/[^\x20-\x7e\x80-\xff]/g, '').trim());

export const target = define(
  fc.record({
    value: header([...DATES, '120', '1.5e2', '5, Sat, 31 Jan 2026 12:00:30 GMT'], 600),
    date: header(['', ...DATES], 20),
    limit: header(['', '600', '0'], 20),
    remaining: header(['', '3', '0'], 20),
  }),
  async ({ value, date, limit, remaining }) => {
    const errorFor = (retryAfter: string) =>
      refused(
        new Headers(
          Object.entries({
            'retry-after': retryAfter,
            date,
            'x-ratelimit-limit': limit,
            'x-ratelimit-remaining': remaining,
          }).filter(([, text]) => text !== ''),
        ),
      );
    const error = await errorFor(value);
    const { retryAfterMs: ms } = error;
    assert.ok(ms === undefined || (Number.isSafeInteger(ms) && ms >= 0), `${ms} is not a delay`);
    const wanted = referenceDelay(value, date);
    if (wanted !== undefined) {
      assert.equal(ms, wanted);
    }
    if (!/[\d\x80-\xff]/.test(value)) {
      assert.equal(ms, undefined, 'a value without a digit');
    }
    // A list is as long as its longest item.
    if (ms !== undefined) {
      assert.equal((await errorFor(`${value},${value}`)).retryAfterMs, ms);
      const later = await errorFor(`999999999, ${value}`);
      assert.ok(
        (later.retryAfterMs ?? 0) >= Math.max(ms, 999_999_999_000),
        'a longer item shortens the delay',
      );
    }
    assert.equal(error.limit, referenceCount(limit, 1));
    assert.equal(error.remaining, referenceCount(remaining, 0));
  },
  [{ value: ','.repeat(8_000), date: `${' '.repeat(8_000)}x`.trim(), limit: '', remaining: '' }],
);
