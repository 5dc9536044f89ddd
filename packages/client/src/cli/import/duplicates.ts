import type { Lead } from '../../index.ts';
import type { Output } from '../io.ts';
import { writeNote } from './progress.ts';
import type { Row } from './read-rows.ts';

/** Maximum number of duplicates to name. */
const MAX_NAMED = 20;

/** Maximum number of phone numbers to remember. A duplicate of a later one is not recognized. */
const MAX_PHONES = 100_000;

/** Finds the rows with the phone number of an earlier row. */
export const createDuplicates = (onExisting: 'keep' | 'update', err: Output) => {
  /** The first line of each phone number. */
  const lines = new Map<unknown, number>();
  const effect = onExisting === 'keep' ? 'is not imported' : 'updates its lead';
  let count = 0;
  return {
    /**
     * Returns true if an earlier row has the phone number, and names both lines.
     *
     * @param lead The lead of the row, or of the earlier row.
     */
    async note({ line }: Row, { phone }: Lead): Promise<boolean> {
      const earlier = lines.get(phone);
      if (earlier === undefined) {
        if (lines.size < MAX_PHONES) {
          lines.set(phone, line);
        }
        return false;
      }
      count += 1;
      if (count <= MAX_NAMED) {
        await writeNote(err, `Line ${line}: has the same phone number as line ${earlier}, and ${effect}`);
      }
      return true;
    },
    count: () => count,
  };
};
