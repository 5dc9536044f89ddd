import type { Confab, LeadCreate } from '@confab/client';

/** The result of an import. */
export interface Imported {
  readonly created: number;
  readonly known: number;
  /** The rows that the API refused, with the reasons. */
  readonly refused: readonly { readonly lead: LeadCreate; readonly reason: string }[];
}

/** Creates a lead for each row. If it is run again after a failure, it creates no lead twice. */
export const importLeads = async (confab: Confab, rows: Iterable<LeadCreate>): Promise<Imported> => {
  const refused: { lead: LeadCreate; reason: string }[] = [];
  let created = 0;
  let known = 0;
  // An error that would affect every row ends the loop. A wrong row does not affect the others.
  for await (const { status, input, error } of confab.leads.ensureMany(rows)) {
    if (status === 'failed') {
      refused.push({ lead: input, reason: String(error) });
    } else if (status === 'created') {
      created += 1;
    } else {
      known += 1;
    }
  }
  return { created, known, refused };
};
