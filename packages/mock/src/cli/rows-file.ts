import { readFileSync } from 'node:fs';
import { UsageError } from '@confab/internal/cli';
import * as z from 'zod/mini';
import type { MockData } from '../world/store/store.ts';
import { syntaxProblem } from './syntax-problem.ts';

const row = z.record(z.string(), z.unknown());

const DataSchema = z.strictObject({
  pipelines: z.optional(z.array(row)),
  agents: z.optional(z.array(row)),
  leads: z.optional(z.array(row)),
  conversations: z.optional(z.array(row)),
  messages: z.optional(z.array(z.looseObject({ conversationId: z.string() }))),
});

const parse = (path: string, text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${path} is not JSON: ${syntaxProblem(text)}`);
  }
};

/** What a system call says went wrong. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Reads the text of a file; `undefined` if there is none.
 *
 * @throws {UsageError} For one that is there, or may be, and can't be read.
 */
export const readIfThere = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') {
      return undefined;
    }
    throw new UsageError(`${path} can't be read: ${reasonOf(error)}`);
  }
};

/**
 * Takes the rows from the text of a file.
 *
 * @throws {UsageError} For a text that is not JSON, or holds something else.
 */
export const rowsIn = (path: string, text: string): MockData => {
  // Editors of some systems begin a file with a byte order mark.
  const result = DataSchema.safeParse(parse(path, text.replace(/^\uFEFF/, '')));
  if (!result.success) {
    throw new UsageError(
      `${path} must be an object with lists of rows: pipelines, agents, leads, conversations, messages`,
    );
  }
  // What a row holds is checked when it is stored.
  return result.data as MockData;
};

/**
 * The rows that `--data` names.
 *
 * @throws {UsageError} For a file that can't be read, or holds something else.
 */
export const readData = (data: string): 'minimal' | 'demo' | MockData => {
  if (data === 'minimal' || data === 'demo') {
    return data;
  }
  const text = readIfThere(data);
  if (text === undefined) {
    throw new UsageError(`${data} is no file; --data is minimal, demo, or a JSON file`);
  }
  return rowsIn(data, text);
};
