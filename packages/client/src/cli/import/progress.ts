import type { EnsureProgress } from '../../index.ts';
import type { Output } from '../io.ts';
import { formatNumber, formatRowCount } from '../print.ts';

/**
 * Formats the counts of an import: `300 rows: 296 created, 1 existing, 3 failed`.
 *
 * @param total Number of rows to import, if it is known.
 */
export const formatCounts = ({ done, ...counts }: EnsureProgress, total?: number): string => {
  const rows =
    total === undefined ? formatRowCount(done) : `${formatNumber(done)} of ${formatNumber(total)} rows`;
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  const list = parts.map(([name, count]) => `${formatNumber(count)} ${name}`).join(', ');
  return list === '' ? rows : `${rows}: ${list}`;
};

/** Milliseconds between two updates. */
const PAUSE = { terminal: 100, log: 10_000 };

/** The sequence that clears the line of a terminal, which may show the progress. */
const CLEAR_LINE = '\r\u001b[K';

/** Writes a line in place of the progress. */
export const writeNote = ({ isTerminal, write }: Output, text: string): Promise<void> =>
  write(`${isTerminal ? CLEAR_LINE : ''}${text}\n`);

/** Shows the progress of an import: on a terminal in a line that changes, elsewhere as a new line every 10 seconds. */
export const createProgressLine = ({ isTerminal, write }: Output, total: number | undefined) => {
  let shownAt = Date.now();
  return async (progress: EnsureProgress, isLast = false): Promise<void> => {
    const isDue = Date.now() - shownAt >= (isTerminal ? PAUSE.terminal : PAUSE.log);
    if (isLast ? isTerminal : isDue) {
      shownAt = Date.now();
      const text = formatCounts(progress, total);
      await write(isTerminal ? `${CLEAR_LINE}${text}${isLast ? '\n' : ''}` : `${text}\n`);
    }
  };
};
