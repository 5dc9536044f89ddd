import type { Confab, LeadCreate } from '@confab/client';

/** What came of an import. */
export interface Imported {
  readonly created: number;
  readonly known: number;
  /** Those that the API does not take, with the reason. */
  readonly refused: readonly { readonly lead: LeadCreate; readonly reason: string }[];
}

/** Makes a lead of each row. Run again after a failure, it makes none twice. */
export const importLeads = async (confab: Confab, rows: Iterable<LeadCreate>): Promise<Imported> => {
  const refused: { lead: LeadCreate; reason: string }[] = [];
  let created = 0;
  let known = 0;
  // An error that would fail every row ends the loop; a row that is wrong stops none of the others.
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
