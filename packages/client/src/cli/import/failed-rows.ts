import { appendFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { UsageError } from '@confab/internal/cli';
import { REASON_COLUMN } from './columns.ts';
import type { Row } from './read-rows.ts';

/** Excel reads a cell that begins with such a character as a formula or a number, unless an apostrophe precedes it. */
const protectCell = (cell: unknown): string => String(cell ?? '').replace(/^(?=[=+\-@])/, "'");

const csvLine = (cells: readonly string[], delimiter: string): string =>
  `${cells
    .map((cell) =>
      /["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell,
    )
    .join(delimiter)}\r\n`;

/**
 * Formats a row and its reason like the rows of its file. Column names stay as they are, so that a next import finds
 * them.
 */
const formatFailedRow = (
  { record, format: { delimiter, names } }: Row,
  reason: string,
  isFirst: boolean,
): string => {
  if (delimiter === undefined) {
    return `${JSON.stringify({ ...record, [REASON_COLUMN]: reason })}\n`;
  }
  const columns = [...new Set(names)].filter((name) => name !== REASON_COLUMN);
  // The byte order mark tells Excel that the file is UTF-8.
  const header = isFirst ? `\uFEFF${csvLine([...columns, REASON_COLUMN], delimiter)}` : '';
  return header + csvLine([...columns.map((name) => record[name]), reason].map(protectCell), delimiter);
};

/** The file of the failed rows. It has the format of the imported file, so that it can be imported too. */
export interface FailedRows {
  add(row: Row, reason: string): void;
  /** Removes all rows that were added after the first `count`. */
  keep(count: number): void;
}

/**
 * Opens the file before anything is sent, so no failed row is lost.
 *
 * @param resumes Whether to keep the rows of an earlier run. Otherwise, they are removed.
 * @throws A {@link UsageError} when the file cannot be written.
 */
export const openFailedRows = (path: string, resumes: boolean): FailedRows => {
  const attempt = <Result>(write: () => Result): Result => {
    try {
      return write();
    } catch (error) {
      throw new UsageError(`Cannot write --failed ${path}: ${(error as Error).message}.`);
    }
  };
  let size = attempt(() => {
    writeFileSync(path, '', { flag: resumes ? 'a' : 'w' });
    return statSync(path).size;
  });
  /** The size of the file in bytes before each added row. */
  const sizes: number[] = [];
  return {
    add(row, reason) {
      const text = formatFailedRow(row, reason, size === 0);
      sizes.push(size);
      attempt(() => appendFileSync(path, text));
      size += Buffer.byteLength(text);
    },
    keep(count) {
      const end = sizes[count];
      if (end !== undefined) {
        try {
          truncateSync(path, end);
        } catch {
          // A pipe or a terminal cannot be truncated.
        }
      }
    },
  };
};
