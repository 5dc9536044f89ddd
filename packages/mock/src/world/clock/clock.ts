import type { Clock as ClientClock } from '@confab/client';
import { DateTimeSchema } from '@confab/client/contract';
import { isDate } from '@confab/internal';
import { checkThat, formatValue, throwIfInvalid } from '../../errors/check.ts';
import { invalidArgument } from '../../errors/mock-error.ts';

/**
 * The bounds of the calendar, in UTC: within them, years have four digits, so that date-times sort as strings. With an
 * offset, a date-time may be beyond them: `9999-12-31T23:59:59-01:00`.
 */
export const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z');
export const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** Returns a time, or the end of the calendar if that is earlier: a longer wait would never end. */
export const limitToCalendar = (at: number): number => Math.min(at, LATEST);

/** The rule for a date-time within these bounds, for messages. */
export const CALENDAR_RULE = 'must be within the years 0000 to 9999 in UTC';

/**
 * Returns milliseconds since 1970, or NaN for an invalid date. `Date` alone would read 30 February as 2 March, and a
 * date-time without an offset in the machine's time zone.
 */
export const parseDate = (date: Date | string | number): number => {
  if (typeof date === 'string') {
    const dateTime = /^[\d-]{10}$/.test(date) ? `${date}T00:00:00Z` : date;
    return DateTimeSchema.safeParse(dateTime).success ? Date.parse(date) : Number.NaN;
  }
  // `Date` would read null as 1970, and throw for a BigInt.
  return typeof date === 'number' || isDate(date) ? new Date(date).getTime() : Number.NaN;
};

/** The purpose of a wait: `'wait'` is a delay, `'timeout'` a limit for work that should end sooner. */
export type SleepPurpose = NonNullable<Parameters<ClientClock['sleep']>[2]>;

/** The clock of a mock. Timestamps, rate limits, latency, delivery retries and the client's waits follow it. */
export interface Clock extends ClientClock {
  /** Returns the time, in milliseconds since 1970. */
  now(): number;
  /**
   * Resolves once this many milliseconds have passed on this clock.
   *
   * On the virtual clock, time passes with {@link Clock.advance}, or by itself once everything waits. A wait beyond the
   * year 9999 never ends.
   *
   * @param ms Milliseconds; 0 by default.
   * @param purpose `'timeout'` for a limit that is usually canceled: it fires when time passes it, but makes time pass only
   * while a fault hangs a request or `flush()` waits. The default is `'wait'`.
   * @throws The signal's reason when it aborts.
   * @throws A {@link MockError} `INVALID_ARGUMENT`, when `ms` is not a finite number.
   * @throws A {@link MockClosedError} when the mock is closed.
   */
  sleep(ms?: number, signal?: AbortSignal, purpose?: SleepPurpose): Promise<void>;
  /**
   * Moves the virtual clock forward. Everything that falls due on the way happens in order. The move waits for the receiver
   * of each delivery, but not longer than a second of real time.
   *
   * @param ms Milliseconds from now, or from the end of a move that is still in progress.
   * @throws A {@link MockError} `INVALID_ARGUMENT`, when `ms` is not a number, is negative, or leads beyond the year
   * 9999.
   * @throws A {@link MockError} `CLOCK_NOT_VIRTUAL`, when the mock uses the system clock.
   * @throws A {@link MockClosedError} when the mock is closed.
   * @example
   * ```ts
   * await mock.clock.advance(60_000);
   * ```
   */
  advance(ms: number): Promise<void>;
  /**
   * Moves the virtual clock forward to a date, like {@link Clock.advance}.
   *
   * @param date A `Date`, milliseconds since 1970, a date-time with an offset (RFC 3339), or a day, which starts in UTC.
   * @throws A {@link MockError} `INVALID_ARGUMENT`, when the date does not exist, is in the clock's past, or is beyond
   * the year 9999.
   * @throws A {@link MockError} `CLOCK_NOT_VIRTUAL`, when the mock uses the system clock.
   * @throws A {@link MockClosedError} when the mock is closed.
   * @example
   * ```ts
   * await mock.clock.set('2026-03-01T09:00:00Z');
   * ```
   */
  set(date: Date | string | number): Promise<void>;
}

/** A reason to hold time back: work of the mock, test code, or a receiver of webhooks. */
export type Hold = 'work' | 'test' | 'receiver';

/** A clock with the methods for the mock's own use, as {@link VirtualClock} explains. */
export interface WorldClock extends Clock {
  /** Whether time passes by itself. */
  readonly kind: 'virtual' | 'system';
  /** Holds time back until the returned function is called. Test code and receivers can hold it for a limited time only. */
  holdTime(what: Hold): () => void;
  /** Makes time pass, as a wait does, until the returned function is called. */
  driveTime(): () => void;
  /** {@link Clock.sleep}, where `'retry'` is a delay that does not make time pass. */
  sleep(ms?: number, signal?: AbortSignal, purpose?: SleepPurpose | 'retry'): Promise<void>;
  /** Rejects every present and future wait with {@link MockClosedError}, and clears all timers. */
  close(): void;
  /** Sets the clock to the time of a snapshot. Every wait keeps its remaining time. */
  load(now: number): void;
}

const isSignal = checkThat((value) => typeof Object(value).throwIfAborted === 'function', 'an AbortSignal');

/**
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when `ms` is not a finite number, or the signal is not an
 * AbortSignal.
 */
export const checkSleep = (ms: unknown, signal?: unknown): void => {
  if (signal !== undefined) {
    throwIfInvalid(isSignal('signal', signal));
  }
  if (!Number.isFinite(ms)) {
    throw invalidArgument(
      `clock.sleep() must be called with a finite number of milliseconds, got ${formatValue(ms)}.`,
    );
  }
};
