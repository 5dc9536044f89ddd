import { UsageError } from '@confab/internal/cli';
import type { Forward } from './forward/forward.ts';
import type { ForwardFlags } from './forward-flags.ts';
import type { Keeper } from './keep-saving.ts';
import { keepSaving } from './keep-saving.ts';
import type { SavedFile } from './saved-file.ts';
import { openSavedFile } from './saved-file.ts';

/** Only for the user who records personal data. */
const PRIVATE = 0o600;

/**
 * Opens the file that `--record` names, and locks it.
 *
 * @param warn Called when its lock was left behind, and names no process.
 * @throws {@link UsageError} When it exists already and `--force` is missing, can't be written, or is in use.
 */
export const openRecordFile = (
  path: string,
  { force, keepPersonalData }: ForwardFlags,
  warn: (text: string) => void,
): SavedFile =>
  openSavedFile({
    path,
    purpose: 'recording',
    warn,
    ...(keepPersonalData && { mode: PRIVATE }),
    check(text) {
      if (text !== undefined && !force) {
        throw new UsageError(`${path} exists already. Choose another file, or replace it with --force.`);
      }
    },
  });

/** Writes what a proxy records soon after it was seen. */
export const keepRecording = (
  forward: Pick<Forward, 'changes' | 'data'>,
  file: SavedFile,
  warn: (text: string) => void,
): Keeper => {
  let saved = forward.changes;
  const save = (): void => {
    const changes = forward.changes;
    file.save(`${JSON.stringify(forward.data(), null, 2)}\n`);
    saved = changes;
  };
  return keepSaving({
    lock: file.lock,
    warn,
    saveChanges() {
      if (forward.changes !== saved) {
        save();
      }
    },
    saveAll: save,
  });
};
