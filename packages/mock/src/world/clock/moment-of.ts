import { DateTimeSchema } from '@confab/client/contract';

/**
 * Milliseconds since 1970; NaN for an invalid date. `Date` alone would read 30 February as 2 March, and a date-time
 * without an offset in the machine's time zone.
 */
export const momentOf = (date: Date | string | number): number => {
  if (typeof date === 'string') {
    const dateTime = /^[\d-]{10}$/.test(date) ? `${date}T00:00:00Z` : date;
    return DateTimeSchema.safeParse(dateTime).success ? Date.parse(date) : Number.NaN;
  }
  // Not by `instanceof`: a test may run in another realm. `Date` alone would read null as 1970, and throws for a BigInt.
  return typeof date === 'number' || Object.prototype.toString.call(date) === '[object Date]'
    ? new Date(date).getTime()
    : Number.NaN;
};
