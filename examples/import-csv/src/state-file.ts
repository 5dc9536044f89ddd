import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { EnsureProgress } from '@confab/client';
import { ImportError } from './import-error.ts';

/** Where an import resumes. */
interface ImportState {
  /** SHA-256 of the CSV file. */
  readonly digest: string;
  /** The rows that are done: the first ones of the file. */
  readonly progress: EnsureProgress;
  /** Size of the file of failed rows when this state was saved. */
  readonly failedBytes: number;
}

/** Keeps the state of an import in a file. */
export interface StateFile {
  /** @throws {@link ImportError} When the file is damaged. */
  load(): ImportState | undefined;
  save(state: ImportState): void;
  remove(): void;
}

const isState = (value: unknown): value is ImportState => {
  const { digest, progress, failedBytes } = Object(value) as Partial<ImportState>;
  const { done, created, existing, unknown, failed } = Object(progress) as Partial<EnsureProgress>;
  const counts = [done, created, existing, unknown, failed, failedBytes];
  return (
    typeof digest === 'string' && counts.every((count) => Number.isSafeInteger(count) && Number(count) >= 0)
  );
};

const parseState = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const createStateFile = (path: string): StateFile => ({
  load() {
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
        return undefined;
      }
      throw error;
    }
    const state = parseState(text);
    if (!isState(state)) {
      throw new ImportError(`${path} is damaged. Run with --restart to import from the first row.`);
    }
    return state;
  },
  save(state) {
    // Written next to it and renamed, so a process that is killed leaves either the old state or the new one.
    const draft = `${path}.tmp`;
    writeFileSync(draft, `${JSON.stringify(state)}\n`, { flush: true });
    renameSync(draft, path);
  },
  remove: () => rmSync(path, { force: true }),
});
