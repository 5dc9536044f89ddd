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
import { readIfThere, reasonOf, writeProblem } from './files.ts';

/** Milliseconds between two checks for changes. A killed process loses no more than these. */
const CHECK_INTERVAL = 250;

/** With much data, saving takes at most a fifth of the time. */
const PAUSE_PER_MS = 4;

const codeOf = (error: unknown): unknown => (error instanceof Error ? Reflect.get(error, 'code') : undefined);

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process of another user is running, too.
    return codeOf(error) === 'EPERM';
  }
};

/**
 * Locks a file for this process with the pid in a second file, unless another process of this machine uses it. A lock that
 * a killed process left behind is taken over.
 */
const lockFile = (path: string, target: string): (() => void) => {
  const lock = `${target}.lock`;
  const text = `${process.pid}\n`;
  // This process has no lock yet, but in containers, an earlier first process had the same pid.
  const isStale = (pid: number) => pid > 0 && (pid === process.pid || !isRunning(pid));
  if (isStale(Number(readIfThere(lock)))) {
    rmSync(lock, { force: true });
  }
  try {
    writeFileSync(lock, text, { flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') {
      throw error;
    }
    const pid = Number(readIfThere(lock));
    throw new UsageError(
      `${path} is in use by ${pid > 0 ? `the confab-mock with pid ${pid}` : 'another confab-mock'}. Stop that process, or use another file. If it no longer runs, delete ${lock}`,
    );
  }
  return () => {
    if (readIfThere(lock) === text) {
      rmSync(lock, { force: true });
    }
  };
};

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
    chmodSync(partial, mode ?? statSync(partial).mode);
  } catch (error) {
    // On a full disk, a half-written file is of no use.
    rmSync(partial, { force: true });
    throw error;
  }
  return partial;
};

/** Data that changes while the command runs. */
export interface Source {
  /** Values of which at least one differs after each change. */
  version(): readonly unknown[];
  text(): string;
}

/** A file that the command keeps up to date while it runs, locked for this process. */
export interface SavedFile {
  /**
   * Saves data soon after each change, until the returned function is called: it saves for the last time, and releases the
   * file.
   *
   * @param warn Called when saving starts to fail. It is retried anyway.
   */
  keep(source: Source, warn: (text: string) => void): () => void;
  /** Releases the file without saving. */
  release(): void;
}

interface SavedFileOptions {
  readonly path: string;
  /** What messages call the content: `state`. */
  readonly purpose: string;
  /** The permissions of a new file, if not the usual ones. */
  readonly mode?: number | undefined;
}

/**
 * Opens a file to save to, and locks it.
 *
 * @throws {@link UsageError} When it can't be read or written, or it is in use.
 */
export const openSavedFile = ({ path, purpose, mode }: SavedFileOptions): SavedFile => {
  readIfThere(path);
  const target = targetOf(path);
  const orRefuse = <T>(write: () => T): T => {
    try {
      return write();
    } catch (error) {
      throw error instanceof UsageError
        ? error
        : new UsageError(
            `Cannot write ${path}, so the ${purpose} is not saved: ${writeProblem(target, error)}`,
          );
    }
  };
  const release = orRefuse(() => lockFile(path, target));
  try {
    orRefuse(() => {
      if (existsSync(target)) {
        accessSync(target, constants.W_OK);
      }
      // This also removes what a killed process left behind.
      rmSync(writePartial(target, ''));
    });
  } catch (error) {
    release();
    throw error;
  }

  const keep: SavedFile['keep'] = (source, warn) => {
    let saved = source.version();
    let isFailing = false;
    let timer: NodeJS.Timeout;

    // A crash in the middle leaves the last good file.
    const save = () => {
      const version = source.version();
      orRefuse(() => renameSync(writePartial(target, source.text(), mode), target));
      saved = version;
    };
    const look = (): void => {
      const began = performance.now();
      try {
        if (source.version().some((part, at) => part !== saved[at])) {
          save();
        }
        isFailing = false;
      } catch (error) {
        if (!isFailing) {
          warn(`${reasonOf(error)}. This will be retried.`);
        }
        isFailing = true;
      }
      lookIn(Math.max(CHECK_INTERVAL, (performance.now() - began) * PAUSE_PER_MS));
    };
    const lookIn = (ms: number): void => {
      timer = setTimeout(look, ms).unref();
    };
    lookIn(CHECK_INTERVAL);
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
