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

/** Where the rows are kept from one run to the next. */
export interface StateFile {
  /** Those of the last run, if there was one. */
  readonly rows: MockData | undefined;
  /** Held from before they were read: two processes would each overwrite what the other saves. */
  readonly lock: Lock;
  /** Writes all rows, so that a crash in the middle leaves the last good file. */
  save(data: MockData): void;
}

/** The file that a path means, through links; also one that is not there yet. */
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

/** Puts a text beside a file, to take its place as a whole; only its readers may read it. */
const writePartial = (target: string, text: string): string => {
  const partial = `${target}.partial`;
  const mode = statSync(target, { throwIfNoEntry: false })?.mode;
  // One that was left behind may be open to more, or be a link to something else.
  rmSync(partial, { force: true });
  writeFileSync(partial, text, { flag: 'wx', ...(mode !== undefined && { mode }) });
  // The umask may have taken some of it away.
  if (mode !== undefined) {
    chmodSync(partial, mode);
  }
  return partial;
};

const cannotWrite = (path: string, error: unknown): UsageError =>
  new UsageError(`${path} can't be written, so nothing could be saved: ${reasonOf(error)}`);

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
 * @throws {UsageError} For one that can't be read or written, holds something else, or is in use by another process.
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
