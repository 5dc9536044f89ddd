import { DateTimeSchema } from '@confab/client/contract';

/**
 * Milliseconds since 1970; NaN for what is no moment. A `Date` would take 30 February for 2 March, and read a date-time
 * without its offset as the machine's own.
 */
export const momentOf = (date: Date | string | number): number => {
  const isDay = typeof date === 'string' && /^[\d-]{10}$/.test(date);
  const fits =
    typeof date !== 'string' || DateTimeSchema.safeParse(isDay ? `${date}T00:00:00Z` : date).success;
  return fits ? new Date(date).getTime() : Number.NaN;
};
