import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UsageError } from '@confab/internal/cli';
import type { Lock } from './lock-file.ts';
import { lockFile } from './lock-file.ts';
import { readIfThere, reasonOf } from './read-file.ts';

/** A file that the command keeps up to date while it runs. */
export interface SavedFile {
  /** Two processes would overwrite each other's data. */
  readonly lock: Lock;
  /** Replaces the text of the file. A crash in the middle leaves the last good file. */
  save(text: string): void;
}

interface SavedFileOptions {
  readonly path: string;
  /** What messages call the content: `state`. */
  readonly purpose: string;
  /** Whether a file that is not UTF-8 is refused, because its content is used. */
  readonly strict?: boolean | undefined;
  /** The permissions of a new file, if not the usual ones. */
  readonly mode?: number | undefined;
  /**
   * Checks what the file contains already; `undefined` if there is no file.
   *
   * @throws {@link UsageError} When the command can't start with it.
   */
  readonly check: (text: string | undefined) => void;
  /** Called when the file's lock was left behind, and names no process. */
  readonly warn?: ((text: string) => void) | undefined;
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
const writePartial = (target: string, text: string, newMode?: number): string => {
  const partial = `${target}.partial`;
  const mode = statSync(target, { throwIfNoEntry: false })?.mode ?? newMode;
  // One that was left behind may have wider permissions, or be a link to another file.
  rmSync(partial, { force: true });
  try {
    writeFileSync(partial, text, { flag: 'wx', ...(mode !== undefined && { mode }) });
    // The umask may have removed permissions.
    if (mode !== undefined) {
      chmodSync(partial, mode);
    }
  } catch (error) {
    // On a full disk, half of it helps no one.
    rmSync(partial, { force: true });
    throw error;
  }
  return partial;
};

const cannotWrite = ({ path, purpose }: SavedFileOptions, error: unknown): UsageError => {
  const folder = dirname(targetOf(path));
  // The reason would name a file that only this command knows.
  const reason = existsSync(folder) ? reasonOf(error) : `The folder ${folder} does not exist`;
  return new UsageError(`Can't write ${path}, so the ${purpose} is not saved: ${reason}`);
};

const checkWritable = (options: SavedFileOptions, target: string, isThere: boolean): void => {
  try {
    if (isThere) {
      accessSync(target, constants.W_OK);
    }
    rmSync(writePartial(target, ''));
  } catch (error) {
    throw cannotWrite(options, error);
  }
};

const lockIt = (options: SavedFileOptions, target: string): Lock => {
  try {
    return lockFile(options.path, target, options.warn);
  } catch (error) {
    throw error instanceof UsageError ? error : cannotWrite(options, error);
  }
};

/**
 * Opens a file to save to, and locks it.
 *
 * @throws {@link UsageError} When it can't be read or written, its content is refused, or it is in use.
 */
export const openSavedFile = (options: SavedFileOptions): SavedFile => {
  const { path, mode, check, strict } = options;
  readIfThere(path);
  const target = targetOf(path);
  const lock = lockIt(options, target);
  try {
    const text = readIfThere(path, undefined, { strict });
    // First, because it also removes what a killed process left behind.
    checkWritable(options, target, text !== undefined);
    check(text);
    return {
      lock,
      save(next) {
        try {
          renameSync(writePartial(target, next, mode), target);
        } catch (error) {
          throw cannotWrite(options, error);
        }
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
};
