import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { UsageError } from '@confab/internal/cli';
import { readIfThere } from './read-file.ts';

/** A lock on a file. */
export interface Lock {
  /** Shows other machines that the holder is still running. */
  refresh(): void;
  release(): void;
}

interface Holder {
  readonly pid: number;
  readonly host: string;
}

/** Milliseconds after which a lock of another machine that is not refreshed is stale. */
const ABANDONED = 10_000;

/** Attempts to take a lock that others release at the same time. */
const ATTEMPTS = 3;

/** Locks of this process. The pid in a lock does not prove it: in containers, first processes have the same pid. */
const held = new Set<string>();

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

const parse = (text: string): Holder | undefined => {
  const [, pid, host] = /^(\d+) (.+)\n$/.exec(text) ?? [];
  return pid === undefined || host === undefined ? undefined : { pid: Number(pid), host };
};

/** Runs a function; `undefined` if the file is gone. */
const unlessGone = <T>(look: () => T): T | undefined => {
  try {
    return look();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
};

const isHeld = (lock: string, holder: Holder): boolean => {
  if (holder.host === hostname()) {
    return holder.pid === process.pid ? held.has(lock) : isRunning(holder.pid);
  }
  const modified = unlessGone(() => statSync(lock).mtimeMs);
  return modified !== undefined && Date.now() - modified < ABANDONED;
};

const inUse = (path: string, lock: string, holder: Holder | undefined): UsageError => {
  const by = holder === undefined ? 'another confab-mock' : `the confab-mock with pid ${holder.pid}`;
  const where = holder === undefined || holder.host === hostname() ? '' : ` on ${holder.host}`;
  return new UsageError(
    `${path} is in use by ${by}${where}. Stop that process, or use another file. If it no longer runs, delete ${lock}`,
  );
};

/** Removes a stale lock, and puts it back if another process has taken it meanwhile. */
const takeAway = (lock: string, stale: string): void => {
  const aside = `${lock}.${process.pid}`;
  unlessGone(() => renameSync(lock, aside));
  const taken = unlessGone(() => readFileSync(aside, 'utf8'));
  if (taken !== undefined && taken !== stale) {
    renameSync(aside, lock);
  } else {
    rmSync(aside, { force: true });
  }
};

/** Codes of file systems without hard links. */
const NO_LINKS: readonly unknown[] = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'];

/** Creates the lock where it can't be linked. Another process may take it over while it is empty, so it is read again. */
const createInPlace = (lock: string, text: string): boolean => {
  try {
    writeFileSync(lock, text, { flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') {
      rmSync(lock, { force: true });
    }
    throw error;
  }
  return readIfThere(lock) === text;
};

const link = (complete: string, lock: string, text: string): boolean => {
  try {
    linkSync(complete, lock);
    return true;
  } catch (error) {
    if (NO_LINKS.includes(codeOf(error))) {
      return createInPlace(lock, text);
    }
    throw error;
  }
};

/** Creates the lock with its whole text at once, so no process sees it empty; false if there already is one. */
const create = (lock: string, text: string): boolean => {
  const complete = `${lock}.${randomUUID()}`;
  try {
    writeFileSync(complete, text, { flag: 'wx' });
    return link(complete, lock, text);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') {
      return false;
    }
    throw error;
  } finally {
    // On a full disk, it is there without its text.
    rmSync(complete, { force: true });
  }
};

/**
 * Locks a file for this process, with a second file next to it.
 *
 * It takes over a lock that a killed process left behind, or that names no process.
 *
 * @param path The path as the user wrote it, for messages.
 * @param warn Called when the lock names no process.
 * @throws {@link UsageError} When another process uses the file; the message names it.
 */
export const lockFile = (path: string, target: string, warn: (text: string) => void = () => {}): Lock => {
  const lock = `${target}.lock`;
  const text = `${process.pid} ${hostname()}\n`;
  for (let attempt = 1; !create(lock, text); attempt += 1) {
    const found = readIfThere(lock);
    if (found === undefined) {
      continue;
    }
    const holder = parse(found);
    if (attempt > ATTEMPTS || (holder !== undefined && isHeld(lock, holder))) {
      throw inUse(path, lock, holder);
    }
    if (holder === undefined) {
      warn(`${lock} names no process, so it was left behind by a crash. It is replaced.`);
    }
    takeAway(lock, found);
  }
  held.add(lock);
  return {
    refresh() {
      const now = new Date();
      unlessGone(() => utimesSync(lock, now, now));
    },
    release() {
      held.delete(lock);
      if (unlessGone(() => readFileSync(lock, 'utf8')) === text) {
        rmSync(lock, { force: true });
      }
    },
  };
};
