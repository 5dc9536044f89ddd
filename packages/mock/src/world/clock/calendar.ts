/** Where the calendar of date-times begins and ends: in UTC, where four digits of a year sort as a string. */
export const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z');
export const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** What {@link isOnCalendar} asks for, to be told. */
export const ON_CALENDAR = 'must be within the years 0000 to 9999 in UTC';

/**
 * Whether a moment has a date-time in UTC; an offset can write one that has none: `9999-12-31T23:59:59-01:00`.
 *
 * @param at Milliseconds since 1970.
 */
export const isOnCalendar = (at: number): boolean => at >= EARLIEST && at <= LATEST;

/** A century: a clock that is asked to wait for longer would leave its calendar, and whoever waits would wait for ever. */
const LONGEST_WAIT = 100 * 365.25 * 24 * 60 * 60 * 1000;

/** Whether something can be put off by so many milliseconds. */
export const isWait = (ms: number): boolean => ms >= 0 && ms <= LONGEST_WAIT;

/** What {@link isWait} asks for, to be told. */
export const WAIT_WANTED = 'milliseconds from 0 up to a century';
