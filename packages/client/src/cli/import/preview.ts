import type { Lead } from '../../index.ts';
import type { Io } from '../io.ts';
import { formatNumber, jsonLine } from '../print.ts';
import { countryHint, lacksCountry } from './country.ts';
import type { Row } from './read-rows.ts';

/** Maximum number of leads to show on a terminal. */
const MAX_SHOWN = 3;

/** Maximum number of duplicates to name. */
const MAX_DUPLICATES = 20;

/** Maximum number of phone numbers to remember. A duplicate of a later one is not recognized. */
const MAX_PHONES = 100_000;

/** Prints what an import would send: each lead once. */
export const createPreview = (asJson: boolean, { out, err }: Io) => {
  /** The first line of each phone number. */
  const lines = new Map<unknown, number>();
  const counts = { sent: 0, duplicates: 0, lacking: 0 };
  const addDuplicate = async (line: number, earlier: number): Promise<void> => {
    counts.duplicates += 1;
    if (counts.duplicates <= MAX_DUPLICATES) {
      await err.write(`Line ${line}: has the same phone number as line ${earlier}\n`);
    }
  };
  return {
    /** @param lead The lead that would be sent for the row, or for the earlier row with the same phone number. */
    async add({ line }: Row, lead: Lead): Promise<void> {
      const earlier = lines.get(lead.phone);
      if (earlier !== undefined) {
        await addDuplicate(line, earlier);
        return;
      }
      if (lines.size < MAX_PHONES) {
        lines.set(lead.phone, line);
      }
      counts.sent += 1;
      counts.lacking += lacksCountry(lead.phone) ? 1 : 0;
      if (asJson || counts.sent <= MAX_SHOWN) {
        await out.write(`${jsonLine(lead)}\n`);
      }
    },
    async end(invalid: number): Promise<void> {
      const { sent, duplicates, lacking } = counts;
      const skipped = duplicates > 0 ? ` Duplicates: ${formatNumber(duplicates)}.` : '';
      await err.write(`Rows to send: ${sent}.${skipped} Invalid: ${invalid}.\n`);
      await err.write(countryHint(lacking, ', unless the account has a default country'));
    },
  };
};
