import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { Data } from '../world/store.ts';
import { UsageError } from './usage-error.ts';

const row = z.record(z.string(), z.unknown());

const DataSchema = z.strictObject({
  pipelines: z.optional(z.array(row)),
  agents: z.optional(z.array(row)),
  leads: z.optional(z.array(row)),
  conversations: z.optional(z.array(row)),
  messages: z.optional(z.array(z.looseObject({ conversationId: z.string() }))),
});

const read = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`${path} can't be read as JSON: ${error instanceof Error ? error.message : error}`);
  }
};

const readData = (path: string): Data => {
  const result = DataSchema.safeParse(read(path));
  if (!result.success)
    throw new UsageError(
      `${path} must be an object with lists of rows: pipelines, agents, leads, conversations, messages`,
    );
  // What a row holds is checked when it is stored.
  return result.data as Data;
};

/**
 * The rows to start with: those of the last run if they were saved, else those asked for.
 *
 * @throws {UsageError} For a file that can't be read, or holds something else.
 */
export const loadData = (data: string, state: string | undefined): 'minimal' | 'demo' | Data => {
  if (state !== undefined && existsSync(state)) return readData(state);
  return data === 'minimal' || data === 'demo' ? data : readData(data);
};

/** Writes all rows, so that a crash in the middle leaves the last good file. */
export const saveData = (path: string, data: Data): void => {
  const partial = `${path}.partial`;
  writeFileSync(partial, `${JSON.stringify(data, null, 2)}\n`);
  renameSync(partial, path);
};
