import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { stringify } from 'csv-stringify/sync';
import type { CsvRow } from './csv-file.ts';

/** Collects the rows that failed, each with the reason, in a CSV file that can be corrected and imported. */
export interface FailedRows {
  add(row: CsvRow, reason: string): void;
  /** Drops the rows that were added last. They are removed from the file when it is closed. */
  dropLast(count: number): void;
  /** Writes everything to the disk and returns the size of the file in bytes. */
  flush(): number;
  close(): void;
}

/**
 * Opens the file of failed rows. The file is created with its first row.
 *
 * @param bytes Size of the part to keep. Rows after it were written before a crash, and will fail again.
 */
export const openFailedRows = (path: string, bytes: number): FailedRows => {
  let file: number | undefined;
  /** Size of the file before each row that was added. */
  const sizes: number[] = [];
  let size = bytes;
  if (bytes === 0) {
    rmSync(path, { force: true });
  }

  const open = (): number => {
    const opened = openSync(path, 'a+');
    size = Math.min(size, fstatSync(opened).size);
    ftruncateSync(opened, size);
    return opened;
  };
  if (bytes > 0) {
    file = open();
  }

  return {
    add({ line, record }, reason) {
      file ??= open();
      const { line: _line, reason: _reason, ...cells } = record;
      const row = { line, reason, ...cells };
      sizes.push(size);
      size += writeSync(file, stringify([row], { header: size === 0 }));
    },
    dropLast(count) {
      size = sizes.at(sizes.length - count) ?? size;
    },
    flush() {
      if (file !== undefined) {
        fsyncSync(file);
      }
      return size;
    },
    close() {
      if (file !== undefined) {
        ftruncateSync(file, size);
        closeSync(file);
      }
      if (size === 0) {
        rmSync(path, { force: true });
      }
    },
  };
};
