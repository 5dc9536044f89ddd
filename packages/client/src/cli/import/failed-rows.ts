import { appendFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { UsageError } from '@confab/internal/cli';
import { REASON } from './columns.ts';
import type { Row } from './read-rows.ts';

/** Excel takes a cell that begins so for a formula or a number, and an apostrophe before it for "this is text". */
const protect = (cell: unknown): string => String(cell ?? '').replace(/^(?=[=+\-@])/, "'");

const csvLine = (cells: readonly string[], delimiter: string): string =>
  `${cells
    .map((cell) =>
      /["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell,
    )
    .join(delimiter)}\r\n`;

/** A row with its reason in the format of its file. Names of columns stay as they are, to be found again. */
const textOf = ({ record, format: { delimiter, names } }: Row, reason: string, isFirst: boolean): string => {
  if (delimiter === undefined) {
    return `${JSON.stringify({ ...record, [REASON]: reason })}\n`;
  }
  const columns = [...new Set(names)].filter((name) => name !== REASON);
  // The mark tells Excel that the file is UTF-8.
  const header = isFirst ? `\uFEFF${csvLine([...columns, REASON], delimiter)}` : '';
  return header + csvLine([...columns.map((name) => record[name]), reason].map(protect), delimiter);
};

/** The file of the rows that failed, in the format of the file they come from, so that it can be imported again. */
export interface FailedRows {
  add(row: Row, reason: string): void;
  /** Removes all rows that were added after the first `count`. */
  keep(count: number): void;
}

/**
 * Opens the file before anything is sent, so no failed row is lost.
 *
 * @param resumes Whether rows are added to the file of an earlier run. Otherwise, its rows are removed.
 * @throws {@link UsageError} When the file cannot be written.
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
  /** Bytes of the file before each row that was added. */
  const sizes: number[] = [];
  return {
    add(row, reason) {
      const text = textOf(row, reason, size === 0);
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
          // What a pipe or a terminal got stays.
        }
      }
    },
  };
};
