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

/** A moment, or the last one of the calendar if it is later: a wait until then would never end. */
export const limitToCalendar = (at: number): number => Math.min(at, LATEST);

/** The requirement for a date-time within these bounds, for messages. */
export const CALENDAR_RULE = 'must be within the years 0000 to 9999 in UTC';

/**
 * Milliseconds since 1970; NaN for an invalid date. `Date` alone would read 30 February as 2 March, and a date-time
 * without an offset in the machine's time zone.
 */
export const parseDate = (date: Date | string | number): number => {
  if (typeof date === 'string') {
    const dateTime = /^[\d-]{10}$/.test(date) ? `${date}T00:00:00Z` : date;
    return DateTimeSchema.safeParse(dateTime).success ? Date.parse(date) : Number.NaN;
  }
  // `Date` alone would read null as 1970, and throws for a BigInt.
  return typeof date === 'number' || isDate(date) ? new Date(date).getTime() : Number.NaN;
};

/** What a wait is for: `'wait'` is a delay, `'timeout'` the limit of something that should end sooner. */
export type SleepPurpose = NonNullable<Parameters<ClientClock['sleep']>[2]>;

/** The clock of a mock. Timestamps, rate limits, latency, delivery retries and the client's waits follow it. */
export interface Clock extends ClientClock {
  /** Returns the time, in milliseconds since 1970. */
  now(): number;
  /**
   * Resolves once this many milliseconds have passed on this clock.
   *
   * On the virtual clock, they pass with {@link Clock.advance}, or by themselves once everything waits. A wait that ends
   * after the year 9999 never ends.
   *
   * @param ms Milliseconds; 0 by default.
   * @param purpose `'timeout'` for a limit that is usually canceled: it ends when time passes it, but does not make time
   * pass, except while a fault hangs a request or `flush()` waits. The default is `'wait'`.
   * @throws The signal's reason when it aborts.
   * @throws {@link MockError} `INVALID_ARGUMENT`, when `ms` is anything but a finite number.
   * @throws {@link MockClosedError} When the mock is closed.
   */
  sleep(ms?: number, signal?: AbortSignal, purpose?: SleepPurpose): Promise<void>;
  /**
   * Moves the virtual clock forward, and lets everything that falls due meanwhile happen in order. It waits for each
   * receiver of a delivery, but for no longer than a second of real time.
   *
   * @param ms Milliseconds from now, or from the end of a move that is still in progress.
   * @throws {@link MockError} `INVALID_ARGUMENT`, when it is not a number, is negative, or leads beyond the year 9999.
   * @throws {@link MockError} `CLOCK_NOT_VIRTUAL`, when the mock uses the system clock.
   * @throws {@link MockClosedError} When the mock is closed.
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
   * @throws {@link MockError} `INVALID_ARGUMENT`, when the date does not exist, is in the clock's past, or is beyond the
   * year 9999.
   * @throws {@link MockError} `CLOCK_NOT_VIRTUAL`, when the mock uses the system clock.
   * @throws {@link MockClosedError} When the mock is closed.
   * @example
   * ```ts
   * await mock.clock.set('2026-03-01T09:00:00Z');
   * ```
   */
  set(date: Date | string | number): Promise<void>;
}

/** A reason to hold time back: the mock works, or waits for test code or for a webhook receiver. */
export type Hold = 'work' | 'test' | 'receiver';

/** A clock with the methods that only the mock itself uses. {@link VirtualClock} says how they work together. */
export interface WorldClock extends Clock {
  /** Whether time passes by itself. */
  readonly kind: 'virtual' | 'system';
  /** Holds time back, until the returned function is called, or test code or a receiver has held it for too long. */
  holdTime(what: Hold): () => void;
  /** Makes time pass, as a wait does, until the returned function is called. */
  driveTime(): () => void;
  /** {@link Clock.sleep}, and for `'retry'` a delay that neither moves the clock nor holds it back. */
  sleep(ms?: number, signal?: AbortSignal, purpose?: SleepPurpose | 'retry'): Promise<void>;
  /** Rejects every present and future wait with {@link MockClosedError}, and leaves no timer behind. */
  close(): void;
  /** Sets the clock back to the time of a snapshot; everything that waits goes on waiting for as long as before. */
  load(now: number): void;
}

const isSignal = checkThat((value) => typeof Object(value).throwIfAborted === 'function', 'an AbortSignal');

/** @throws {@link MockError} `INVALID_ARGUMENT`, when time could not continue from it, or the signal is not an AbortSignal. */
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
