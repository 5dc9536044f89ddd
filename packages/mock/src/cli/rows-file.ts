import { readFileSync } from 'node:fs';
import { UsageError } from '@confab/internal/cli';
import * as z from 'zod/mini';
import type { MockData } from '../world/store/store.ts';
import { syntaxProblem } from './syntax-problem.ts';

const row = z.record(z.string(), z.unknown());

const DataSchema = z.strictObject({
  // For editors.
  $schema: z.optional(z.string()),
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

/** The message of an error. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Reads a file; `undefined` if it does not exist.
 *
 * @throws {@link UsageError} When it exists but can't be read.
 */
export const readIfThere = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') {
      return undefined;
    }
    throw new UsageError(`Can't read ${path}: ${reasonOf(error)}`);
  }
};

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

const checkRows = (path: string, value: unknown): MockData => {
  const result = DataSchema.safeParse(value);
  if (!result.success) {
    throw new UsageError(
      `${path} must contain an object with arrays of rows: pipelines, agents, leads, conversations, messages`,
    );
  }
  // Each row is checked when it is stored.
  const { $schema: _, ...rows } = result.data;
  return rows as MockData;
};

/**
 * Parses the rows in the text of a JSON file.
 *
 * @throws {@link UsageError} When the text is not JSON, or contains anything but rows.
 */
export const rowsIn = (path: string, text: string): MockData =>
  // Some editors start a file with a byte order mark.
  checkRows(path, parse(path, withoutMark(text)));

const parseYaml = async (path: string, text: string): Promise<unknown> => {
  // Loaded late: most mocks start without a YAML file.
  const yaml = await import('yaml');
  try {
    return yaml.parse(text) ?? {};
  } catch (error) {
    // Below its first line, the message quotes the file.
    const [reason = ''] = reasonOf(error).split('\n');
    throw new UsageError(`${path} is not YAML: ${reason.replace(/:$/, '')}`);
  }
};

/**
 * Reads the rows that `--data` names.
 *
 * @throws {@link UsageError} When the file does not exist, can't be read, or contains anything but rows.
 */
export const readData = async (data: string): Promise<'minimal' | 'demo' | MockData> => {
  if (data === 'minimal' || data === 'demo') {
    return data;
  }
  const text = readIfThere(data);
  if (text === undefined) {
    throw new UsageError(
      `--data must be minimal, demo, or the path of a JSON or YAML file; ${data} does not exist`,
    );
  }
  return /\.ya?ml$/i.test(data)
    ? checkRows(data, await parseYaml(data, withoutMark(text)))
    : rowsIn(data, text);
};
