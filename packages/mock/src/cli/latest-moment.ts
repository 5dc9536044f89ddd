import type { CompleteMockData } from '../world/store/store.ts';

/** The latest date-time in any row, in milliseconds since 1970; `undefined` if there are no rows. */
export const latestMoment = (data: CompleteMockData): number | undefined => {
  let latest: number | undefined;
  for (const row of Object.values(data).flat()) {
    for (const [field, value] of Object.entries(row)) {
      const moment = field.endsWith('At') && typeof value === 'string' ? Date.parse(value) : Number.NaN;
      if (moment > (latest ?? Number.NEGATIVE_INFINITY)) {
        latest = moment;
      }
    }
  }
  return latest;
};
