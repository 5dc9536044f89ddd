import type { EnsureProgress } from '../../index.ts';
import type { Output } from '../io.ts';
import { numberOf, rowsInWords } from '../print.ts';

/**
 * Writes the counts of an import: `300 rows: 296 created, 1 existing, 3 failed`.
 *
 * @param total Rows to import, if that is known.
 */
export const formatDuration = ({ done, ...counts }: EnsureProgress, total?: number): string => {
  const rows = total === undefined ? rowsInWords(done) : `${numberOf(done)} of ${numberOf(total)} rows`;
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  const list = parts.map(([name, count]) => `${numberOf(count)} ${name}`).join(', ');
  return list === '' ? rows : `${rows}: ${list}`;
};

/** Milliseconds between two updates: on a terminal, and in a log. */
const PAUSE = { terminal: 100, log: 10_000 };

/** Shows the progress of an import: on a terminal in one line until its end, elsewhere as a line now and then. */
export const createProgressLine = ({ isTerminal, write }: Output, total: number | undefined) => {
  let shownAt = Date.now();
  return async (progress: EnsureProgress, isLast = false): Promise<void> => {
    const isDue = Date.now() - shownAt >= (isTerminal ? PAUSE.terminal : PAUSE.log);
    if (isLast ? isTerminal : isDue) {
      shownAt = Date.now();
      const text = formatDuration(progress, total);
      await write(isTerminal ? `\r\u001b[K${text}${isLast ? '\n' : ''}` : `${text}\n`);
    }
  };
};
