import {
  accessSync,
  chmodSync,
  constants,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UsageError } from '@confab/internal/cli';
import type { MockData } from '../world/store/store.ts';
import type { Lock } from './lock-file.ts';
import { lockFile } from './lock-file.ts';
import { readIfThere, reasonOf, rowsIn } from './rows-file.ts';

/** The file that keeps the rows from one run to the next. */
export interface StateFile {
  /** The rows of the last run; `undefined` if the file is new. */
  readonly rows: MockData | undefined;
  /** Taken before the rows are read: two processes would overwrite each other's rows. */
  readonly lock: Lock;
  /** Writes all rows. A crash in the middle leaves the last good file. */
  save(data: MockData): void;
}

/** Resolves the links in a path, even if the file does not exist yet. */
const targetOf = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    try {
      return targetOf(resolve(dirname(path), readlinkSync(path)));
    } catch {
      return path;
    }
  }
};

/** Writes a text to a file next to another one, which it will replace, with the same permissions. */
const writePartial = (target: string, text: string): string => {
  const partial = `${target}.partial`;
  const mode = statSync(target, { throwIfNoEntry: false })?.mode;
  // One that was left behind may have wider permissions, or be a link to another file.
  rmSync(partial, { force: true });
  writeFileSync(partial, text, { flag: 'wx', ...(mode !== undefined && { mode }) });
  // The umask may have removed permissions.
  if (mode !== undefined) {
    chmodSync(partial, mode);
  }
  return partial;
};

const cannotWrite = (path: string, error: unknown): UsageError =>
  new UsageError(`Can't write ${path}, so no state could be saved: ${reasonOf(error)}`);

const checkWritable = (path: string, target: string, isThere: boolean): void => {
  try {
    if (isThere) {
      accessSync(target, constants.W_OK);
    }
    rmSync(writePartial(target, ''));
  } catch (error) {
    throw cannotWrite(path, error);
  }
};

const lockIt = (path: string, target: string): Lock => {
  try {
    return lockFile(path, target);
  } catch (error) {
    throw error instanceof UsageError ? error : cannotWrite(path, error);
  }
};

/**
 * Opens the file that `--state` names, and locks it.
 *
 * @throws {@link UsageError} When it can't be read or written, contains anything but rows, or is in use.
 */
export const openStateFile = (path: string): StateFile => {
  readIfThere(path);
  const target = targetOf(path);
  const lock = lockIt(path, target);
  try {
    const text = readIfThere(path);
    const rows = text === undefined ? undefined : rowsIn(path, text);
    checkWritable(path, target, text !== undefined);
    return {
      rows,
      lock,
      save(data) {
        renameSync(writePartial(target, `${JSON.stringify(data, null, 2)}\n`), target);
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
};
