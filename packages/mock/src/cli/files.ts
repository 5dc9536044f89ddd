import { isUtf8 } from 'node:buffer';
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '@confab/internal/cli';
import { MockError } from '../errors/mock-error.ts';
import { isDeep } from '../request/json.ts';

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
    throw new UsageError(`Cannot read ${path}: it must be a regular file`);
  }
  if (stats.size > bytes) {
    const limit = bytes < MIB ? `${bytes / 1024} KiB` : `${bytes / MIB} MiB`;
    throw new UsageError(
      `Cannot read ${path}: it is larger than ${limit}, the most that is loaded into memory.${hint}`,
    );
  }
  const content = readFileSync(file);
  if (strict && !isUtf8(content)) {
    throw new UsageError(`Cannot read ${path}: it is not valid UTF-8. Save it in that encoding.`);
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
    throw error instanceof UsageError ? error : new UsageError(`Cannot read ${path}: ${reasonOf(error)}`);
  } finally {
    if (file !== undefined) {
      closeSync(file);
    }
  }
};

/**
 * {@link readIfThere}, for a file that must exist.
 *
 * @param rule What a flag must be: `--config must be the path of a JSON file`.
 */
export const readNamed = (
  rule: string,
  ...[path, limit, options]: Parameters<typeof readIfThere>
): string => {
  const text = readIfThere(path, limit, options);
  if (text === undefined) {
    throw new UsageError(`${rule}; ${path} does not exist`);
  }
  return text;
};

/**
 * Parses the text of a JSON file. Some editors start it with a byte order mark.
 *
 * @throws {@link UsageError} When it is not JSON, or is nested too deeply.
 */
export const parseJson = (path: string, text: string): unknown => {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${reasonOf(error)}`);
  }
  if (isDeep(value)) {
    throw new UsageError(`Cannot load ${path}: it is nested too deeply`);
  }
  return value;
};

/** Renders a value as the text of a JSON file. */
export const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

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
    throw new UsageError(`Cannot write ${path}: the folder ${dirname(path)} does not exist`);
  }
  // Read in any case: writing to a pipe would wait for its reader.
  if (readIfThere(path) !== undefined && !force) {
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
    throw new UsageError(`Cannot write ${path}: ${writeProblem(path, error)}`);
  }
};

/**
 * Uses what a file contains.
 *
 * @throws {@link UsageError} When the mock refuses it, with the path of the file.
 */
export const loadFrom = <T>(path: string | undefined, use: () => T): T => {
  try {
    return use();
  } catch (error) {
    throw error instanceof MockError ? new UsageError(`Cannot load ${path}: ${error.message}`) : error;
  }
};
