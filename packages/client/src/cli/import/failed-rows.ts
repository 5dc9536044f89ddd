import { appendFileSync, rmSync } from 'node:fs';
import { UsageError } from '@confab/internal/cli';
import { REASON } from './columns.ts';
import type { Format, Row } from './read-rows.ts';

/** Excel takes a cell that begins so for a formula or a number, and an apostrophe before it for "this is text". */
const protect = (cell: string): string => (/^[=+\-@]/.test(cell) ? `'${cell}` : cell);

const csvLine = (cells: readonly unknown[], delimiter: string): string =>
  `${cells
    .map((cell) => protect(String(cell ?? '')))
    .map((cell) =>
      /["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell,
    )
    .join(delimiter)}\r\n`;

/** The file of the rows that failed, in the form of the file they come from, so that it can be imported again. */
export interface FailedRows {
  add(row: Row, reason: string, format: Format): void;
  readonly count: number;
}

/**
 * Creates the file with the first row that fails.
 *
 * @param resumes Whether rows are added to the file of an earlier run.
 * @throws {@link UsageError} When the file cannot be written.
 */
export const createFailedRows = (path: string, resumes: boolean): FailedRows => {
  let count = 0;
  const append = (text: string): void => {
    try {
      if (count === 0 && !resumes) {
        rmSync(path, { force: true });
      }
      appendFileSync(path, text);
    } catch (error) {
      throw new UsageError(`Cannot write --failed ${path}: ${(error as Error).message}.`);
    }
  };
  return {
    add({ record: { [REASON]: _, ...cells } }, reason, { delimiter }) {
      const isNew = count === 0 && !resumes;
      const row = { ...cells, [REASON]: reason };
      append(
        delimiter === undefined
          ? `${JSON.stringify(row)}\n`
          : // The mark tells Excel that the file is UTF-8.
            (isNew ? `\uFEFF${csvLine(Object.keys(row), delimiter)}` : '') +
              csvLine(Object.values(row), delimiter),
      );
      count += 1;
    },
    get count() {
      return count;
    },
  };
};
