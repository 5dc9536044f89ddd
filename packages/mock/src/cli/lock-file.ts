import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { UsageError } from '@confab/internal/cli';

/** A file that says who uses the one beside it. */
export interface Lock {
  /** Says that its holder is still there, to those on other machines. */
  refresh(): void;
  release(): void;
}

interface Holder {
  readonly pid: number;
  readonly host: string;
}

/** Milliseconds after which a lock that is not refreshed is nobody's, if it can't be told otherwise. */
const ABANDONED = 10_000;

/** Attempts to take a lock that others let go of at the same time. */
const ATTEMPTS = 3;

/** Held by this process: its own pid in a lock proves nothing, in a container every first process has the same. */
const held = new Set<string>();

const codeOf = (error: unknown): unknown => (error instanceof Error ? Reflect.get(error, 'code') : undefined);

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is one, too.
    return codeOf(error) === 'EPERM';
  }
};

const parse = (text: string): Holder | undefined => {
  const [, pid, host] = /^(\d+) (.+)\n$/.exec(text) ?? [];
  return pid === undefined || host === undefined ? undefined : { pid: Number(pid), host };
};

/** `undefined` for a file that is gone by now. */
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

const isHeld = (lock: string, holder: Holder | undefined): boolean => {
  if (holder?.host === hostname()) {
    return holder.pid === process.pid ? held.has(lock) : isRunning(holder.pid);
  }
  const modified = unlessGone(() => statSync(lock).mtimeMs);
  return modified !== undefined && Date.now() - modified < ABANDONED;
};

const inUse = (path: string, lock: string, holder: Holder | undefined): UsageError => {
  const by = holder === undefined ? 'another confab-mock' : `the confab-mock with pid ${holder.pid}`;
  const where = holder === undefined || holder.host === hostname() ? '' : ` on ${holder.host}`;
  return new UsageError(
    `${path} is in use by ${by}${where}: stop that one, or give this one a file of its own. If there is none, delete ${lock}`,
  );
};

/** Takes a stale lock away, and puts it back if it has become somebody else's meanwhile. */
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

/** True if the lock is ours now; false if there was one. */
const create = (lock: string, text: string): boolean => {
  try {
    writeFileSync(lock, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') {
      return false;
    }
    throw error;
  }
};

/**
 * Locks a file for this process, by a file beside it.
 *
 * A lock that a process left behind when it was killed is taken over.
 *
 * @param path What the user calls the file.
 * @throws {UsageError} If somebody else uses it, naming that process.
 */
export const lockFile = (path: string, target: string): Lock => {
  const lock = `${target}.lock`;
  const text = `${process.pid} ${hostname()}\n`;
  for (let attempt = 1; !create(lock, text); attempt += 1) {
    const found = unlessGone(() => readFileSync(lock, 'utf8'));
    if (found === undefined) {
      continue;
    }
    const holder = parse(found);
    if (attempt > ATTEMPTS || isHeld(lock, holder)) {
      throw inUse(path, lock, holder);
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
