import type { EnsureProgress } from '../../index.ts';
import type { Output } from '../io.ts';

const number = (value: number): string => value.toLocaleString('en-US');

/** Writes the counts of an import: `300 rows: 296 created, 1 existing, 3 failed`. */
export const inWords = ({ done, ...counts }: EnsureProgress): string => {
  const parts = Object.entries(counts).flatMap(([name, count]) =>
    count > 0 ? [`${number(count)} ${name}`] : [],
  );
  return `${number(done)} row${done === 1 ? '' : 's'}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`;
};

/** Milliseconds between two updates: on a terminal, and in a log. */
const PAUSE = { terminal: 100, log: 10_000 };

/**
 * Shows the progress of an import: on a terminal in one line, elsewhere as a line now and then.
 *
 * @param skipped Rows that an earlier run has done.
 * @param total Rows of the file; undefined if that is unknown.
 */
export const createProgressLine = (
  { isTerminal, write }: Output,
  skipped: number,
  total: number | undefined,
) => {
  let shownAt = Date.now();
  const show = async (progress: EnsureProgress, isLast: boolean): Promise<void> => {
    const of = total === undefined ? '' : ` of ${number(Math.max(0, total - skipped))}`;
    const text = inWords(progress).replace(/ rows?/, `${of} rows`);
    await write(isTerminal ? `\r\u001b[K${text}${isLast ? '\n' : ''}` : `${text}\n`);
  };
  return {
    async update(progress: EnsureProgress): Promise<void> {
      if (Date.now() - shownAt >= (isTerminal ? PAUSE.terminal : PAUSE.log)) {
        shownAt = Date.now();
        await show(progress, false);
      }
    },
    async end(progress: EnsureProgress): Promise<void> {
      if (isTerminal) {
        await show(progress, true);
      }
    },
  };
};
