/** The bounds of the calendar, in UTC: within them, years have four digits, so that date-times sort as strings. */
export const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z');
export const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** A moment, or the last one of the calendar if it is later: a wait until then would never end. */
export const untilEndOfCalendar = (at: number): number => Math.min(at, LATEST);

/** What {@link isOnCalendar} requires, for messages. */
export const ON_CALENDAR = 'must be within the years 0000 to 9999 in UTC';

/**
 * Whether a moment has a date-time in UTC. With an offset, some have none: `9999-12-31T23:59:59-01:00`.
 *
 * @param at Milliseconds since 1970.
 */
export const isOnCalendar = (at: number): boolean => at >= EARLIEST && at <= LATEST;
