import type { Lead } from '@confab/client/contract';
import type { StoredLead } from './rows.ts';

const known = new WeakMap<StoredLead, Lead>();

/** A lead as the API gives it: without its notes, which are taken and never sent back. */
export const toLead = (row: StoredLead): Lead => {
  const made = known.get(row);
  if (made !== undefined) {
    return made;
  }
  const { notes: _, ...lead } = row;
  known.set(row, Object.freeze(lead));
  return lead;
};
