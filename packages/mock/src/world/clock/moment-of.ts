import { DateTimeSchema } from '@confab/client/contract';

/**
 * Milliseconds since 1970; NaN for an invalid date. `Date` alone would read 30 February as 2 March, and a date-time
 * without an offset in the machine's time zone.
 */
export const momentOf = (date: Date | string | number): number => {
  const isDay = typeof date === 'string' && /^[\d-]{10}$/.test(date);
  const fits =
    typeof date !== 'string' || DateTimeSchema.safeParse(isDay ? `${date}T00:00:00Z` : date).success;
  return fits ? new Date(date).getTime() : Number.NaN;
};
