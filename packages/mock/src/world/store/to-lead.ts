import type { Lead } from '@confab/client/contract';
import type { StoredLead } from './rows.ts';

const known = new WeakMap<StoredLead, Lead>();

/** The lead as the API returns it: without its notes. */
export const toLead = ({ notes: _, ...lead }: StoredLead): Lead => lead;

/** {@link toLead} for pages, whose rows are read again and again: the same row becomes the same object. */
export const toListedLead = (row: StoredLead): Lead => {
  const made = known.get(row);
  if (made !== undefined) {
    return made;
  }
  const lead = Object.freeze(toLead(row));
  known.set(row, lead);
  return lead;
};
