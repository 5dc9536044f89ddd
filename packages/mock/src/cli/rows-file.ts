import { readFileSync } from 'node:fs';
import { describeIssues } from '@confab/client/contract';
import { UsageError } from '@confab/internal/cli';
import * as z from 'zod/mini';
import type { FaultPlan } from '../control/plan-fault.ts';
import { FaultPlanSchema } from '../world/faults/fault-schema.ts';
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

/** What `--data` names: rows, and faults if somebody recorded or wrote them. */
export interface DataFile {
  readonly rows: 'minimal' | 'demo' | MockData;
  readonly faults: readonly FaultPlan[];
}

const FaultsSchema = z.array(FaultPlanSchema);

const checkData = (path: string, value: unknown): DataFile => {
  const object = row.safeParse(value);
  if (!object.success) {
    return { rows: checkRows(path, value), faults: [] };
  }
  const { faults = [], ...rows } = object.data;
  const result = FaultsSchema.safeParse(faults);
  if (!result.success) {
    const issues = describeIssues(result.error, faults, 'faults').map(
      ({ path: at, message }) => `${at} ${message}`,
    );
    throw new UsageError(`${path} holds invalid faults: ${issues.join('; ')}`);
  }
  return { rows: checkRows(path, rows), faults: result.data };
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
 * Reads the rows and faults that `--data` names.
 *
 * @throws {@link UsageError} When the file does not exist, can't be read, or contains anything else.
 */
export const readData = async (data: string): Promise<DataFile> => {
  if (data === 'minimal' || data === 'demo') {
    return { rows: data, faults: [] };
  }
  const text = readIfThere(data);
  if (text === undefined) {
    throw new UsageError(
      `--data must be minimal, demo, or the path of a JSON or YAML file; ${data} does not exist`,
    );
  }
  const isYaml = /\.ya?ml$/i.test(data);
  const plain = withoutMark(text);
  return checkData(data, isYaml ? await parseYaml(data, plain) : parse(data, plain));
};
