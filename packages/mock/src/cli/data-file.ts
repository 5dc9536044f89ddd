import { quoted, typeName, unknownNames } from '@confab/internal';
import { UsageError } from '@confab/internal/cli';
import type { ScalarTag } from 'yaml';
import * as z from 'zod/mini';
import { counted } from '../errors/check.ts';
import type { FaultPlan } from '../world/faults/fault.ts';
import { newValues, OPEN_ENUMS } from '../world/store/rows.ts';
import type { MockData } from '../world/store/store.ts';
import type { SizeLimit } from './files.ts';
import { parseJson, readNamed, reasonOf } from './files.ts';

/** What `--data` names: rows, and faults if somebody recorded or wrote them. */
export interface DataFile {
  readonly rows: 'minimal' | 'demo' | MockData;
  readonly faults: readonly FaultPlan[];
  /** What is probably a mistake. */
  readonly warnings: readonly string[];
}

/** The largest file that the YAML parser reads within a second. */
const YAML_LIMIT: SizeLimit = {
  bytes: 256 * 1024,
  hint: ' Write it as JSON, which is read much faster.',
};

/** Aliases that repeat each other can make billions of values out of a few lines. */
const MAX_ALIASES = 10_000;

/** Reads an unquoted phone number as a string, although YAML would read it as a number. */
const PHONE: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  test: /^\+\d+$/,
  resolve: (text) => text,
};

const parseYaml = async (path: string, text: string): Promise<unknown> => {
  // Loaded late: most mocks start without a YAML file.
  const yaml = await import('yaml');
  try {
    const lineCounter = new yaml.LineCounter();
    const document = yaml.parseDocument(text, {
      customTags: (tags) => [PHONE, ...tags],
      merge: true,
      lineCounter,
      // Checked below, because the parser compares each key with all others.
      uniqueKeys: false,
    });
    const [problem] = [...document.errors, ...document.warnings];
    if (problem !== undefined) {
      throw problem;
    }
    yaml.visit(document, {
      Map(_, { items }) {
        const seen = new Set<unknown>();
        for (const { key } of items) {
          if (yaml.isScalar(key) && seen.size === seen.add(key.value).size) {
            throw new UsageError(
              `Map keys must be unique at line ${lineCounter.linePos(key.range?.[0] ?? 0).line}`,
            );
          }
        }
      },
    });
    return document.toJS({ maxAliasCount: MAX_ALIASES }) ?? {};
  } catch (error) {
    // Removes the source lines that the parser appends to its message.
    throw new UsageError(`${path} is not YAML: ${reasonOf(error).replace(/:\n.*$/s, '')}`);
  }
};

const row = z.record(z.string(), z.unknown());

const RowsSchema = z.strictObject({
  pipelines: z.optional(z.array(row)),
  agents: z.optional(z.array(row)),
  leads: z.optional(z.array(row)),
  conversations: z.optional(z.array(row)),
  messages: z.optional(z.array(z.looseObject({ conversationId: z.string() }))),
});

const LISTS = Object.keys(RowsSchema.shape);

/** The maximum number of unknown values to list. More lines would hide the banner. */
const MAX_WARNINGS = 5;

/** Values that the contract does not list. A real service may add some, and clients have to be tested with new ones. */
const unknownValues = (path: string, data: MockData): string[] => {
  const found = Object.entries(OPEN_ENUMS).flatMap(([list, enums]) =>
    (data[list as keyof MockData] ?? []).flatMap((row, at) =>
      newValues(row, enums).map(
        ({ field, value, hint }) =>
          `${path}: ${list}[${at}].${field} has the value ${quoted(value)}, which is not in the contract. ${hint}`,
      ),
    ),
  );
  const more = found.length - MAX_WARNINGS;
  return more > 0
    ? [
        ...found.slice(0, MAX_WARNINGS),
        `${path}: ${counted(more, 'more value is', 'more values are')} not in the contract`,
      ]
    : found;
};

const isYaml = (path: string): boolean => /\.ya?ml$/i.test(path);

const dataFrom = (
  path: string,
  value: unknown,
): { readonly rows: MockData; readonly faults: FaultPlan[] } => {
  const object = row.safeParse(value).data;
  // The schema is for editors.
  const { $schema: _, faults = [], ...lists } = object ?? {};
  const misspelled = unknownNames('list', lists, [...LISTS, 'faults']);
  if (misspelled !== undefined) {
    throw new UsageError(`Cannot load ${path}: ${misspelled}`);
  }
  if (!Array.isArray(faults)) {
    throw new UsageError(`Cannot load ${path}: \`faults\` must be an array, got ${typeName(faults)}`);
  }
  const rows = RowsSchema.safeParse(object && lists);
  if (!rows.success) {
    throw new UsageError(`${path} must contain an object with arrays of rows: ${LISTS.join(', ')}`);
  }
  // Each row is checked when it is stored, and each fault when it is planned.
  return { rows: rows.data as MockData, faults };
};

/**
 * Parses the rows in the text of a JSON file.
 *
 * @throws {@link UsageError} When the text is not JSON, or contains anything but rows.
 */
export const rowsIn = (path: string, text: string): MockData => {
  const { rows, faults } = dataFrom(path, parseJson(path, text));
  if (faults.length > 0) {
    throw new UsageError(`${path} must contain rows only, because its faults would not be saved`);
  }
  return rows;
};

/**
 * Reads the rows and faults that `--data` names. The ending of a file's name says whether it is JSON or YAML.
 *
 * @throws {@link UsageError} When the file does not exist, can't be read, or contains anything else.
 */
export const readData = async (data: string): Promise<DataFile> => {
  if (data === 'minimal' || data === 'demo') {
    return { rows: data, faults: [], warnings: [] };
  }
  const rule = '--data must be minimal, demo, or the path of a JSON or YAML file';
  const text = readNamed(rule, data, isYaml(data) ? YAML_LIMIT : undefined, { strict: true });
  const parse = isYaml(data) ? parseYaml : parseJson;
  const { rows, faults } = dataFrom(data, await parse(data, text));
  return { rows, faults, warnings: unknownValues(data, rows) };
};
