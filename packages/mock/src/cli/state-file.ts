import type { MockData } from '../world/store/store.ts';
import { rowsIn } from './rows-file.ts';
import type { SavedFile } from './saved-file.ts';
import { openSavedFile } from './saved-file.ts';

/** The file that keeps the rows from one run to the next. */
export interface StateFile extends Pick<SavedFile, 'lock'> {
  /** The rows of the last run; `undefined` if the file is new. */
  readonly rows: MockData | undefined;
  /** Writes all rows. A crash in the middle leaves the last good file. */
  save(data: MockData): void;
}

/**
 * Opens the file that `--state` names, and locks it.
 *
 * @param warn Called when its lock was left behind, and names no process.
 * @throws {@link UsageError} When it can't be read or written, contains anything but rows, or is in use.
 */
export const openStateFile = (path: string, warn?: (text: string) => void): StateFile => {
  let rows: MockData | undefined;
  const { lock, save } = openSavedFile({
    path,
    purpose: 'state',
    strict: true,
    warn,
    check(text) {
      rows = text === undefined ? undefined : rowsIn(path, text);
    },
  });
  return { rows, lock, save: (data) => save(`${JSON.stringify(data, null, 2)}\n`) };
};
