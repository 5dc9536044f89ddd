import type { Stats } from 'node:fs';
import { accessSync, constants, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '@confab/internal/cli';
import { MockError } from '../errors/mock-error.ts';
import { isDeep } from '../request/json.ts';

/** Loading JSON takes about ten times its size in memory. The text may say what to do with a larger file. */
const LIMIT = { bytes: 128 * 1024 * 1024, text: '128 MiB' };

export const readMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/**
 * Runs an action on a file.
 *
 * @param words The start of the message: `Cannot read rows.json`. The reason follows.
 * @throws A {@link UsageError} when the action fails.
 */
export const orUsageError = <T>(words: string, act: () => T): T => {
  try {
    return act();
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`${words}: ${readMessage(error)}`);
  }
};

/** Reads the stats of a file; `undefined` if it does not exist. Refuses pipes and devices, which may never end. */
const statFile = (path: string): Stats | undefined => {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() === false) {
    throw new UsageError(`${path} must be a regular file`);
  }
  return stats;
};

/**
 * Reads the text of a regular file, without a byte order mark; `undefined` if it does not exist.
 *
 * @throws A {@link UsageError} when it exists but can't be read, is not a regular file, is too large, or is not UTF-8.
 */
export const readIfExists = (path: string, limit = LIMIT): string | undefined =>
  orUsageError(`Cannot read ${path}`, () => {
    const stats = statFile(path);
    if (stats !== undefined && stats.size > limit.bytes) {
      throw new UsageError(`${path} must not be larger than ${limit.text}`);
    }
    // Other encodings are refused, because replacement characters would change names.
    return stats && new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  });

/**
 * {@link readIfExists}, for a file that must exist.
 *
 * @param rule The start of the message: `--config must be the path of a JSON file`.
 */
export const readRequired = (rule: string, path: string, limit?: typeof LIMIT): string => {
  const text = readIfExists(path, limit);
  if (text === undefined) {
    throw new UsageError(`${rule}; ${path} does not exist`);
  }
  return text;
};

/**
 * Parses the text of a JSON file.
 *
 * @throws A {@link UsageError} when it is not JSON, or is nested too deeply.
 */
export const parseJson = (path: string, text: string): unknown => {
  const value: unknown = orUsageError(`${path} is not JSON`, () => JSON.parse(text));
  if (isDeep(value)) {
    throw new UsageError(`Cannot load ${path}: it is nested too deeply`);
  }
  return value;
};

/** Renders a value as the text of a JSON file. */
export const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/**
 * Runs an action that writes a file, or needs the permission to.
 *
 * @throws A {@link UsageError} when the action fails; the message has the path of the file.
 */
export const tryToWrite = <T>(path: string, write: () => T): T =>
  orUsageError(`Cannot write ${path}`, () => {
    const folder = dirname(path);
    if (!existsSync(folder)) {
      throw new Error(`the folder ${folder} does not exist`);
    }
    return write();
  });

/**
 * Checks that a file can be created, before any work is done for it.
 *
 * @throws A {@link UsageError} when it exists already and must not be replaced, or its folder can't be written to.
 */
export const checkNewFile = (path: string, force: boolean): void =>
  tryToWrite(path, () => {
    accessSync(dirname(path), constants.W_OK);
    // Also with `force`, because writing to a pipe would wait for its reader.
    if (statFile(path) !== undefined && !force) {
      throw new UsageError(`${path} exists already. Choose a different file, or replace it with --force.`);
    }
  });

/** @throws A {@link UsageError} when the file can't be written. */
export const writeText = (path: string, text: string): void =>
  tryToWrite(path, () => writeFileSync(path, text));

/**
 * Passes the contents of a file to the mock.
 *
 * @throws A {@link UsageError} when the mock refuses them; the message has the path of the file.
 */
export const loadFrom = <T>(path: string | undefined, use: () => T): T => {
  try {
    return use();
  } catch (error) {
    throw error instanceof MockError ? new UsageError(`Cannot load ${path}: ${error.message}`) : error;
  }
};
