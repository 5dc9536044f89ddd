import type { Lead } from '../../index.ts';
import type { Io } from '../io.ts';
import { formatNumber, jsonLine } from '../print.ts';

/** Maximum number of leads to show on a terminal. */
const MAX_SHOWN = 3;

/** Prints what an import would send: each lead once. */
export const createPreview = (asJson: boolean, { out, err }: Io) => {
  let sent = 0;
  return {
    async add(lead: Lead): Promise<void> {
      sent += 1;
      if (asJson || sent <= MAX_SHOWN) {
        await out.write(`${jsonLine(lead)}\n`);
      }
    },
    async end(duplicates: number, invalid: number): Promise<void> {
      const skipped = duplicates > 0 ? ` Duplicates: ${formatNumber(duplicates)}.` : '';
      await err.write(`Rows to send: ${sent}.${skipped} Invalid: ${invalid}.\n`);
    },
  };
};
