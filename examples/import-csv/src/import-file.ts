import type { Confab, EnsureProgress } from '@confab/client';
import type { CsvRow } from './csv-file.ts';
import { inspectCsv, readRows, toLead } from './csv-file.ts';
import { openFailedRows } from './failed-rows.ts';
import { ImportError } from './import-error.ts';
import { createStateFile } from './state-file.ts';

export interface ImportOptions {
  readonly confab: Confab;
  /** The CSV file. */
  readonly path: string;
  readonly concurrency?: number | undefined;
  /** Ignore the state of an earlier run. */
  readonly restart?: boolean | undefined;
  /** When it is aborted, no more rows are read, and those under way are finished. */
  readonly stop: AbortSignal;
  /** Called after each row. */
  readonly onProgress: (progress: EnsureProgress, total: number) => void;
}

export interface ImportResult {
  readonly progress: EnsureProgress;
  /** Number of rows in the file. */
  readonly total: number;
  /** Path of the file of failed rows. */
  readonly failedPath: string;
}

/** Milliseconds between two saves of the state. The rows in between are repeated after a crash, which is harmless. */
const SAVE_EVERY = 200;

const NOTHING: EnsureProgress = { done: 0, created: 0, existing: 0, unknown: 0, failed: 0 };

const add = (a: EnsureProgress, b: EnsureProgress): EnsureProgress => ({
  done: a.done + b.done,
  created: a.created + b.created,
  existing: a.existing + b.existing,
  unknown: a.unknown + b.unknown,
  failed: a.failed + b.failed,
});

/**
 * Imports a file, from where an earlier run of it ended.
 *
 * @throws {@link ImportError} When the file cannot be imported.
 */
export const importFile = async (options: ImportOptions): Promise<ImportResult> => {
  const { confab, path, concurrency, restart, stop, onProgress } = options;
  const failedPath = path.replace(/(?:\.csv)?$/i, '.failed.csv');
  const stateFile = createStateFile(`${path}.import.json`);
  const { rows: total, digest } = await inspectCsv(path);
  const saved = restart ? undefined : stateFile.load();
  if (saved !== undefined && saved.digest !== digest) {
    throw new ImportError(
      `${path} has changed since its import was interrupted after ${saved.progress.done} rows. Run with --restart to import it from the first row; leads that exist are not created again.`,
    );
  }
  const before = saved?.progress ?? NOTHING;
  const failedRows = openFailedRows(failedPath, saved?.failedBytes ?? 0);

  /** Rows that were read and are not done. */
  const pending: CsvRow[] = [];
  const readLeads = async function* () {
    let skip = before.done;
    for await (const row of readRows(path)) {
      if (stop.aborted) {
        return;
      }
      if (skip > 0) {
        skip -= 1;
        continue;
      }
      pending.push(row);
      yield toLead(row);
    }
  };

  let progress = before;
  // The order matters: a failed row must be on the disk before the state says that it is done.
  const save = () => stateFile.save({ failedBytes: failedRows.flush(), digest, progress });
  let savedAt = 0;
  const run = confab.leads.ensureMany(readLeads(), { concurrency });
  try {
    for await (const { status, error } of run) {
      const row = pending.shift();
      if (status === 'failed' && row !== undefined) {
        failedRows.add(row, error instanceof Error ? error.message : String(error));
      }
      progress = add(before, run.progress);
      if (Date.now() - savedAt >= SAVE_EVERY) {
        save();
        savedAt = Date.now();
      }
      onProgress(progress, total);
    }
  } finally {
    // After too many failures in a row, their rows are no longer done. They fail again when the import resumes, or succeed.
    const done = add(before, run.progress);
    if (done.done < progress.done) {
      failedRows.dropLast(progress.failed - done.failed);
      progress = done;
    }
    save();
    failedRows.close();
  }
  if (progress.done === total) {
    stateFile.remove();
  }
  return { progress, total, failedPath };
};
