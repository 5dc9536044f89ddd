import { isUtf8 } from 'node:buffer';
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '@confab/internal/cli';

const MIB = 1024 * 1024;

/** How large a file may be. */
export interface SizeLimit {
  readonly bytes: number;
  /** What the user of a larger file can do. */
  readonly hint?: string | undefined;
}

/** JSON takes some ten times as much memory while it is loaded. */
const LIMIT: SizeLimit = { bytes: 128 * MIB };

/** The message of an error. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const readAll = (file: number, path: string, { bytes, hint = '' }: SizeLimit, strict: boolean): string => {
  const stats = fstatSync(file);
  if (!stats.isFile()) {
    throw new UsageError(`Can't read ${path}: it must be a regular file`);
  }
  if (stats.size > bytes) {
    const limit = bytes < MIB ? `${bytes / 1024} KiB` : `${bytes / MIB} MiB`;
    throw new UsageError(
      `Can't read ${path}: it is larger than ${limit}, the most that is loaded into memory.${hint}`,
    );
  }
  const content = readFileSync(file);
  if (strict && !isUtf8(content)) {
    throw new UsageError(`Can't read ${path}: it is not valid UTF-8. Save it in that encoding.`);
  }
  return content.toString();
};

/**
 * Reads a regular file; `undefined` if it does not exist. Pipes and devices, which may never end, are refused.
 *
 * @param options With `strict`, bytes that are not UTF-8 are refused instead of replaced by `\uFFFD`.
 * @throws {@link UsageError} When it exists but can't be read, is no regular file, or is larger.
 */
export const readIfThere = (path: string, limit = LIMIT, { strict = false } = {}): string | undefined => {
  let file: number | undefined;
  try {
    // Opening a pipe that has no writer would wait for one.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return readAll(file, path, limit, strict);
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') {
      return undefined;
    }
    throw error instanceof UsageError ? error : new UsageError(`Can't read ${path}: ${reasonOf(error)}`);
  } finally {
    if (file !== undefined) {
      closeSync(file);
    }
  }
};

/** Why a file can't be written. */
export const writeProblem = (path: string, error: unknown): string => {
  const folder = dirname(path);
  return existsSync(folder) ? reasonOf(error) : `The folder ${folder} does not exist`;
};

/**
 * Checks that a file can be created, before work is done for it.
 *
 * @throws {@link UsageError} When it exists already and must not be replaced, or its folder does not exist.
 */
export const checkNewFile = (path: string, force: boolean): void => {
  if (!existsSync(dirname(path))) {
    throw new UsageError(`Can't write ${path}: The folder ${dirname(path)} does not exist`);
  }
  if (!force && readIfThere(path) !== undefined) {
    throw new UsageError(`${path} exists already. Choose another file, or replace it with --force.`);
  }
};

/**
 * Writes a file.
 *
 * @throws {@link UsageError} When it can't be written.
 */
export const writeText = (path: string, text: string): void => {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new UsageError(`Can't write ${path}: ${writeProblem(path, error)}`);
  }
};
