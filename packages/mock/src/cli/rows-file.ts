import { unknownNames } from '@confab/internal';
import { UsageError } from '@confab/internal/cli';
import * as z from 'zod/mini';
import type { FaultPlan } from '../control/plan-fault.ts';
import { jsonProblems } from '../errors/check.ts';
import { FaultPlanSchema } from '../world/faults/fault.ts';
import type { MockData } from '../world/store/store.ts';
import { parseJson } from './parse-json.ts';
import { parseYaml, YAML_LIMIT } from './parse-yaml.ts';
import { readIfThere } from './read-file.ts';
import { unknownValues } from './unknown-values.ts';

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

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

const LISTS = Object.keys(DataSchema.shape).filter((name) => name !== '$schema');

const checkRows = (path: string, value: unknown): MockData => {
  const names = row.safeParse(value);
  const misspelled = names.success
    ? unknownNames('list', names.data, [...LISTS, 'faults', '$schema'])
    : undefined;
  if (misspelled !== undefined) {
    throw new UsageError(`Can't load ${path}: ${misspelled}`);
  }
  const result = DataSchema.safeParse(value);
  if (!result.success) {
    throw new UsageError(`${path} must contain an object with arrays of rows: ${LISTS.join(', ')}`);
  }
  // Each row is checked when it is stored.
  const { $schema: _, ...rows } = result.data;
  return rows as MockData;
};

/** What `--data` names: rows, and faults if somebody recorded or wrote them. */
export interface DataFile {
  readonly rows: 'minimal' | 'demo' | MockData;
  readonly faults: readonly FaultPlan[];
  /** What is probably a mistake. */
  readonly warnings: readonly string[];
}

const FaultsSchema = z.array(FaultPlanSchema);

const checkData = (path: string, value: unknown): DataFile => {
  const object = row.safeParse(value);
  if (!object.success) {
    return { rows: checkRows(path, value), faults: [], warnings: [] };
  }
  const { faults = [], ...rows } = object.data;
  const result = FaultsSchema.safeParse(faults);
  if (!result.success) {
    throw new UsageError(`${path} holds invalid faults: ${jsonProblems(result.error, faults, 'faults')}`);
  }
  const checked = checkRows(path, rows);
  return { rows: checked, faults: result.data, warnings: unknownValues(path, checked) };
};

/**
 * Parses the rows in the text of a JSON file.
 *
 * @throws {@link UsageError} When the text is not JSON, or contains anything but rows.
 */
export const rowsIn = (path: string, text: string): MockData =>
  // Some editors start a file with a byte order mark.
  checkRows(path, parseJson(path, withoutMark(text)));

const isYaml = (path: string): boolean => /\.ya?ml$/i.test(path);

/**
 * Parses the rows and faults in the text of a JSON or YAML file; the ending of its name decides.
 *
 * @throws {@link UsageError} When the text is not valid JSON or YAML, or contains unknown fields.
 */
const dataIn = async (path: string, text: string): Promise<DataFile> => {
  const plain = withoutMark(text);
  return checkData(path, isYaml(path) ? await parseYaml(path, plain) : parseJson(path, plain));
};

/**
 * Reads the rows and faults that `--data` names.
 *
 * @throws {@link UsageError} When the file does not exist, can't be read, or contains anything else.
 */
export const readData = async (data: string): Promise<DataFile> => {
  if (data === 'minimal' || data === 'demo') {
    return { rows: data, faults: [], warnings: [] };
  }
  const text = readIfThere(data, isYaml(data) ? YAML_LIMIT : undefined, { strict: true });
  if (text === undefined) {
    throw new UsageError(
      `--data must be minimal, demo, or the path of a JSON or YAML file; ${data} does not exist`,
    );
  }
  return dataIn(data, text);
};
