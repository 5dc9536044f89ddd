import type { Stats } from 'node:fs';
import { accessSync, constants, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '@confab/internal/cli';
import { MockError } from '../errors/mock-error.ts';
import { isDeep } from '../request/json.ts';

/** JSON takes some ten times as much memory while it is loaded. The words may say what to do with a larger file. */
const LIMIT = { bytes: 128 * 1024 * 1024, words: '128 MiB' };

/** The message of an error. */
export const readMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/**
 * Does something with a file.
 *
 * @throws {@link UsageError} When it fails, with the reason after some words: `Cannot read rows.json`.
 */
export const orRefuse = <T>(words: string, act: () => T): T => {
  try {
    return act();
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`${words}: ${readMessage(error)}`);
  }
};

/** Looks at a file; `undefined` if it does not exist. Pipes and devices, which may never end, are refused. */
const lookAt = (path: string): Stats | undefined => {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() === false) {
    throw new UsageError(`${path} must be a regular file`);
  }
  return stats;
};

/**
 * Reads the text of a regular file, without a byte order mark; `undefined` if it does not exist.
 *
 * @throws {@link UsageError} When it exists but can't be read, is no regular file, is larger, or is not UTF-8.
 */
export const readIfThere = (path: string, limit = LIMIT): string | undefined =>
  orRefuse(`Cannot read ${path}`, () => {
    const stats = lookAt(path);
    if (stats !== undefined && stats.size > limit.bytes) {
      throw new UsageError(`${path} must not be larger than ${limit.words}`);
    }
    // Refused, because replacement characters would change names.
    return stats && new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  });

/**
 * {@link readIfThere}, for a file that must exist.
 *
 * @param rule What a flag must be: `--config must be the path of a JSON file`.
 */
export const readNamed = (rule: string, path: string, limit?: typeof LIMIT): string => {
  const text = readIfThere(path, limit);
  if (text === undefined) {
    throw new UsageError(`${rule}; ${path} does not exist`);
  }
  return text;
};

/**
 * Parses the text of a JSON file.
 *
 * @throws {@link UsageError} When it is not JSON, or is nested too deeply.
 */
export const parseJson = (path: string, text: string): unknown => {
  const value: unknown = orRefuse(`${path} is not JSON`, () => JSON.parse(text));
  if (isDeep(value)) {
    throw new UsageError(`Cannot load ${path}: it is nested too deeply`);
  }
  return value;
};

/** Renders a value as the text of a JSON file. */
export const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/**
 * Does what needs permission to write a file.
 *
 * @throws {@link UsageError} When it fails, with the path of the file.
 */
export const tryToWrite = <T>(path: string, write: () => T): T =>
  orRefuse(`Cannot write ${path}`, () => {
    const folder = dirname(path);
    if (!existsSync(folder)) {
      throw new Error(`the folder ${folder} does not exist`);
    }
    return write();
  });

/**
 * Checks that a file can be created, before work is done for it.
 *
 * @throws {@link UsageError} When it exists already and must not be replaced, or its folder can't be written to.
 */
export const checkNewFile = (path: string, force: boolean): void =>
  tryToWrite(path, () => {
    accessSync(dirname(path), constants.W_OK);
    // Looked at in any case: writing to a pipe would wait for its reader.
    if (lookAt(path) !== undefined && !force) {
      throw new UsageError(`${path} exists already. Choose another file, or replace it with --force.`);
    }
  });

/** @throws {@link UsageError} When the file can't be written. */
export const writeText = (path: string, text: string): void =>
  tryToWrite(path, () => writeFileSync(path, text));

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
