import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { UsageError } from '@confab/internal/cli';
import { readIfThere, readMessage, tryToWrite } from './files.ts';

/** Milliseconds from the end of one save to the next check for changes. A killed process loses no more than these. */
const PAUSE = 500;

const codeOf = (error: unknown): unknown => Reflect.get(Object(error), 'code');

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process of another user is running, too.
    return codeOf(error) === 'EPERM';
  }
};

/** Locks a file for this process, unless another one uses it. A lock that a killed process left behind is taken over. */
const lockFile = (path: string): (() => void) => {
  const lock = `${path}.lock`;
  const guard = `${lock}.new`;
  // Held while the lock is looked at and written: two processes must not take over the same one.
  try {
    writeFileSync(guard, '', { flag: 'wx' });
  } catch (error) {
    throw codeOf(error) === 'EEXIST'
      ? new UsageError(`Another confab-mock is starting with ${path}. If none is, delete ${guard}`)
      : error;
  }
  try {
    const text = readIfThere(lock)?.trim() ?? '';
    const pid = Number(text);
    // This process has no lock yet, but in containers, an earlier first process had the same pid. A full disk leaves an empty
    // lock behind.
    if (pid !== process.pid && text !== '' && (Number.isNaN(pid) || isRunning(pid))) {
      throw new UsageError(
        `${path} is in use by the confab-mock with pid ${text}. Stop that process, or use another file. If it no longer runs, delete ${lock}`,
      );
    }
    rmSync(lock, { force: true });
    writeFileSync(lock, `${process.pid}\n`, { flag: 'wx' });
  } finally {
    rmSync(guard, { force: true });
  }
  return () => rmSync(lock, { force: true });
};

/**
 * Replaces a file at once: a crash in the middle leaves the last one.
 *
 * @param newMode The permissions of a new file; otherwise, they stay.
 */
const replaceFile = (path: string, text: string, newMode: number | undefined): void => {
  const partial = `${path}.partial`;
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? newMode;
  try {
    // One that was left behind may have wider permissions, or be a link to another file.
    rmSync(partial, { force: true });
    writeFileSync(partial, text, { flag: 'wx', mode });
    if (mode !== undefined) {
      // The umask may have removed permissions.
      chmodSync(partial, mode);
    }
    renameSync(partial, path);
  } catch (error) {
    // On a full disk, a half-written file is of no use.
    rmSync(partial, { force: true });
    // No other can take the place of a file that is mounted by itself, as with `docker -v ./rows.json:/rows.json`.
    if (codeOf(error) !== 'EBUSY') {
      throw error;
    }
    writeFileSync(path, text);
  }
};

/** Data that changes while the command runs. */
export interface Source {
  /** Values of which at least one differs after each change. */
  version(): readonly unknown[];
  text(): string;
}

/** A file that the command keeps up to date while it runs, locked for this process. */
export type SavedFile = ReturnType<typeof openSavedFile>;

/**
 * Opens a file to save to, and locks it.
 *
 * @param newMode The permissions of a new file, if not the usual ones.
 * @throws {@link UsageError} When it can't be written, or it is in use.
 */
export const openSavedFile = (path: string, newMode?: number) => {
  const exists = existsSync(path);
  // A link stays a link.
  const target = exists ? realpathSync(path) : path;
  /** Releases the file without saving. */
  const release = tryToWrite(path, () => {
    if (exists) {
      accessSync(target, constants.W_OK);
    }
    return lockFile(target);
  });

  /**
   * Saves data soon after each change, until the returned function is called: it saves for the last time, and releases the
   * file.
   *
   * @param warn Called when saving starts to fail. It is retried anyway.
   */
  const keep = (source: Source, warn: (text: string) => void): (() => void) => {
    let saved = source.version();
    let isFailing = false;

    const save = () => {
      const version = source.version();
      tryToWrite(path, () => replaceFile(target, source.text(), newMode));
      saved = version;
    };
    const timer = setTimeout(() => {
      try {
        if (source.version().some((part, index) => part !== saved[index])) {
          save();
        }
        isFailing = false;
      } catch (error) {
        if (!isFailing) {
          warn(`${readMessage(error)}. This will be retried.`);
        }
        isFailing = true;
      }
      timer.refresh();
    }, PAUSE).unref();
    return () => {
      clearTimeout(timer);
      try {
        save();
      } finally {
        release();
      }
    };
  };
  return { keep, release };
};
