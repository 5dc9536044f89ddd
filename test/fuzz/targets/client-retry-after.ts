/**
 * Seconds, all forms of dates, lists of them and wrong clocks: the delay that they were written for. Of any other text:
 * never negative, never early, never a number without a digit. The limits are whole numbers in range.
 */
import { createClient, RateLimitError } from '@confab/client';
import { assert, define, fc, nearText, piece } from '../kit.ts';

const NOW = Date.UTC(2026, 0, 31, 12);
const BASE = { baseUrl: 'https://api.example.com', apiKey: 'key', retry: false, rateLimit: false } as const;

/** The error for a response with these headers. */
const refused = async (headers: Record<string, string>): Promise<RateLimitError> => {
  const clock = { now: () => NOW, sleep: () => new Promise<void>(() => {}) };
  const fetch = async () => new Response('{}', { status: 429, headers });
  const calling = createClient({ ...BASE, clock, fetch }).agents.list();
  const error: unknown = await calling.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(error instanceof RateLimitError, error as Error);
  return error;
};

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The three forms of RFC 9110, from the words of `toUTCString`: Sat, 31 Jan 2026 12:00:30 GMT. */
const FORMS: readonly ((text: string, date: Date) => string)[] = [
  (text) => text,
  (text, date) => text.replace(/^\w+, (\d+) (\w+) \d\d(\d\d)/, `${WEEKDAYS[date.getUTCDay()]}, $1-$2-$3`),
  (text) =>
    text.replace(/^(\w+), (\d+) (\w+) (\d+) (\S+) GMT$/, '$1 $3 $2 $5 $4').replace(/ 0(\d) /, '  $1 '),
];

// Two digits of a year are read from 2000 to 2049 only, where readers agree.
const moment = fc
  .integer({ min: Date.UTC(2000) / 1_000, max: Date.UTC(2049) / 1_000 })
  .map((seconds) => seconds * 1_000);
const near = fc.integer({ min: -90, max: 90 }).map((seconds) => NOW + seconds * 1_000);
const date = fc
  .tuple(fc.oneof(moment, near), fc.constantFrom(...FORMS))
  .map(([ms, form]) => ({ ms, text: form(new Date(ms).toUTCString(), new Date(ms)) }));
const impossible = fc.constantFrom(
  'Sat, 30 Feb 2026 12:00:00 GMT',
  'Sat, 31 Jan 2026 24:00:01 GMT',
  'Sat, 00 Jan 2026 12:00:00 GMT',
);

/** Values with the delay that they mean, for a response that was sent at `sentAt`. */
const item = fc.oneof(
  fc.nat(999_999_999).map((seconds) => ({ text: `${seconds}`, delay: () => seconds * 1_000 })),
  date.map(({ ms, text }) => ({ text, delay: (sentAt: number) => Math.max(0, ms - sentAt) })),
);

const TOKENS = [...', , GMT Feb 29 60 99 999999999 9007199254740993 1e3 1.5 -1'.split(' '), ', ', ' '];
// Headers are Latin-1.
const hostile = nearText(['Sat, 31 Jan 2026 12:00:30 GMT', '120', '5, 7'], piece(TOKENS, 600)).map((text) =>
  text.replaceAll(/[^\x20-\x7e\x80-\xff]/g, '').trim(),
);

/** The limits, and the numbers that they mean: `least` is the first valid one. */
const count = fc.oneof(
  fc.constantFrom('0', '1', '600', `${2 ** 53 - 1}`, `${2 ** 53}`, '-1', '1.5', '1e3', '0x10'),
  hostile,
);
const countOf = (text: string, least: number): number | undefined =>
  /^\d+$/.test(text) && Number.isSafeInteger(Number(text)) && Number(text) >= least
    ? Number(text)
    : undefined;

/** A past finding: the date was read once for each item of the list. */
const LONG = { hostile: ','.repeat(8_000), wrongDate: ','.repeat(8_000) };

export const target = define(
  fc.record({
    items: fc.array(item, { minLength: 1, maxLength: 3 }),
    sent: fc.option(date, { nil: undefined }),
    hostile: fc.oneof({ weight: 5, arbitrary: hostile }, impossible),
    wrongDate: hostile,
    limit: count,
    remaining: count,
  }),
  async ({ items, sent, hostile, wrongDate, limit, remaining }) => {
    const value = items.map(({ text }) => text).join(', ');
    const wanted = Math.max(...items.map(({ delay }) => delay(sent?.ms ?? NOW)));
    const limits = { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining };
    const error = await refused({ 'retry-after': value, ...limits, ...(sent && { date: sent.text }) });
    assert.deepEqual(
      [error.retryAfterMs, error.limit, error.remaining],
      [wanted, countOf(limit, 1), countOf(remaining, 0)],
    );
    // Longer lists are never shorter delays, whatever is in them.
    const { retryAfterMs: ms } = await refused({ 'retry-after': hostile, date: wrongDate });
    assert.ok(ms === undefined || (Number.isSafeInteger(ms) && ms >= 0), `${ms} is not a delay`);
    assert.ok(ms === undefined || /[\d\x80-\xff]/.test(hostile), 'a value without a digit');
    if (ms !== undefined) {
      const later = await refused({ 'retry-after': `999999999, ${hostile},${hostile}`, date: wrongDate });
      assert.ok(
        (later.retryAfterMs ?? 0) >= Math.max(ms, 999_999_999_000),
        'a longer item shortens the delay',
      );
    }
  },
  [{ items: [{ text: '1', delay: () => 1_000 }], sent: undefined, limit: '', remaining: '', ...LONG }],
);
