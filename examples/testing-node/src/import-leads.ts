import type { Confab, LeadCreate } from '@confab/client';
import { BadRequestError, InvalidRequestError } from '@confab/client';

/** What came of an import. */
export interface Imported {
  readonly created: number;
  readonly known: number;
  /** Those that the API does not take, with the reason. */
  readonly refused: readonly { readonly lead: LeadCreate; readonly reason: string }[];
}

/** Makes a lead of each row. Run again after a failure, it makes none twice. */
export const importLeads = async (confab: Confab, rows: readonly LeadCreate[]): Promise<Imported> => {
  let created = 0;
  let known = 0;
  const refused: { lead: LeadCreate; reason: string }[] = [];
  const failed = new AbortController();
  // All rows queue at once, and the total timeout of a call includes its time in the queue.
  const options = { totalTimeout: false, signal: failed.signal } as const;
  const take = async (lead: LeadCreate): Promise<void> => {
    try {
      const ensured = await confab.leads.ensure(lead, options);
      if (ensured.status === 'created') {
        created += 1;
      } else {
        known += 1;
      }
    } catch (error) {
      // A row that is wrong stops none of the others. Anything else ends them all.
      if (!(error instanceof BadRequestError || error instanceof InvalidRequestError)) {
        failed.abort(error);
        throw error;
      }
      refused.push({ lead, reason: error.message });
    }
  };
  // The client keeps to its own bounds: ten at a time, and the pace that the service asks for.
  await Promise.all(rows.map(take));
  return { created, known, refused };
};
