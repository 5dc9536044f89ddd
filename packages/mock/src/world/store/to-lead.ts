import type { Lead } from '@confab/client/contract';
import type { StoredLead } from './rows.ts';

const known = new WeakMap<StoredLead, Lead>();

/** The lead as the API returns it: without its notes. */
export const toLead = (row: StoredLead): Lead => {
  const made = known.get(row);
  if (made !== undefined) {
    return made;
  }
  const { notes: _, ...lead } = row;
  known.set(row, Object.freeze(lead));
  return lead;
};
