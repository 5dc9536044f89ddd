import type { Lead } from '../../index.ts';
import type { Io } from '../io.ts';
import { jsonLine, numberOf } from '../print.ts';
import { countryHint, lacksCountry } from './country.ts';
import type { Row } from './read-rows.ts';

/** Number of leads to show on a terminal. */
const MAX_SHOWN = 3;

/** Number of repeats to name. */
const MAX_REPEATS = 20;

/** Number of phones to remember. A repeat after more of them counts as another row. */
const MAX_PHONES = 100_000;

/** Prints what an import would send: each lead once. */
export const createPreview = (asJson: boolean, { out, err }: Io) => {
  /** Line of each phone. */
  const lines = new Map<unknown, number>();
  const counts = { sent: 0, repeats: 0, lacking: 0 };
  const addRepeat = async (line: number, earlier: number): Promise<void> => {
    counts.repeats += 1;
    if (counts.repeats <= MAX_REPEATS) {
      await err.write(`Line ${line}: repeats the phone of line ${earlier}\n`);
    }
  };
  return {
    /** @param lead What is sent for the row, or was for the earlier one that it repeats. */
    async add({ line }: Row, lead: Lead): Promise<void> {
      const earlier = lines.get(lead.phone);
      if (earlier !== undefined) {
        await addRepeat(line, earlier);
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
      const { sent, repeats, lacking } = counts;
      const repeated = repeats > 0 ? ` Repeats: ${numberOf(repeats)}.` : '';
      await err.write(`Rows to send: ${sent}.${repeated} Invalid: ${invalid}.\n`);
      await err.write(countryHint(lacking, ', unless the account has a default country'));
    },
  };
};
