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
import { readIfExists, readMessage, tryToWrite } from './files.ts';

/** Milliseconds from a save to the next check for changes. A process that is killed loses at most the changes of this time. */
const PAUSE = 500;

const codeOf = (error: unknown): unknown => Reflect.get(Object(error), 'code');

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process runs, but belongs to a different user.
    return codeOf(error) === 'EPERM';
  }
};

/** Locks a file for this process, unless a different process uses it. Takes over the lock of a killed process. */
const lockFile = (path: string): (() => void) => {
  const lock = `${path}.lock`;
  const guard = `${lock}.new`;
  // Held while the lock is checked and written, so that two processes cannot take over the same lock.
  try {
    writeFileSync(guard, '', { flag: 'wx' });
  } catch (error) {
    throw codeOf(error) === 'EEXIST'
      ? new UsageError(`Another confab-mock is starting with ${path}. If none is, delete ${guard}`)
      : error;
  }
  try {
    const text = readIfExists(lock)?.trim() ?? '';
    const pid = Number(text);
    // In a container, an earlier process may have had the pid of this one. A full disk leaves an empty lock behind.
    const isStale = text === '' || pid === process.pid || !(Number.isNaN(pid) || isRunning(pid));
    if (!isStale) {
      throw new UsageError(
        `${path} is in use by the confab-mock with pid ${text}. Stop that process, or use a different file. If it no longer runs, delete ${lock}`,
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
 * Replaces a file atomically: after a crash in the middle, it is unchanged.
 *
 * @param newMode The permissions of a new file. An existing file keeps its own.
 */
const replaceFile = (path: string, text: string, newMode: number | undefined): void => {
  const partial = `${path}.partial`;
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? newMode;
  try {
    // A partial file of an earlier run may have wider permissions, or be a link to a different file.
    rmSync(partial, { force: true });
    writeFileSync(partial, text, { flag: 'wx', mode });
    if (mode !== undefined) {
      // The umask may have removed permissions.
      chmodSync(partial, mode);
    }
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    // A file that is mounted by itself, as with `docker -v ./rows.json:/rows.json`, can only be overwritten.
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
 * @throws A {@link UsageError} when the file can't be written or is in use.
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
   * Saves data soon after each change. The returned function saves for the last time, and releases the file.
   *
   * @param warn Called when saving starts to fail. Saving is retried.
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
