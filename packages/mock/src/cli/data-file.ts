import { describeIssues } from '@confab/client/contract';
import { typeName } from '@confab/internal';
import { UsageError } from '@confab/internal/cli';
import type { ScalarTag } from 'yaml';
import * as z from 'zod/mini';
import { counted } from '../errors/check.ts';
import { OPEN_ENUMS } from '../world/store/rows.ts';
import type { MockData } from '../world/store/store.ts';
import { LISTS } from '../world/store/store.ts';
import { orRefuse, parseJson, readNamed } from './files.ts';

/** The largest file that the YAML parser reads within a second. */
const YAML_LIMIT = { bytes: 256 * 1024, words: '256 KiB. Write it as JSON, which is read much faster.' };

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
  return orRefuse(`${path} is not YAML`, () => {
    const lineCounter = new yaml.LineCounter();
    const document = yaml.parseDocument(text, {
      customTags: (tags) => [PHONE, ...tags],
      merge: true,
      lineCounter,
      // Checked below, because the parser compares each key with all others.
      uniqueKeys: false,
      // Each of many errors would look for its line from the start of the text.
      prettyErrors: false,
    });
    const fail = (message: string, at: number): never => {
      const { line, col } = lineCounter.linePos(at);
      throw new Error(`${message} at line ${line}, column ${col}`);
    };
    const [problem] = [...document.errors, ...document.warnings];
    if (problem !== undefined) {
      fail(problem.message, problem.pos[0]);
    }
    yaml.visit(document, {
      Map(_, { items }) {
        const seen = new Set<unknown>();
        for (const { key } of items) {
          if (yaml.isScalar(key) && seen.size === seen.add(key.value).size) {
            fail('Map keys must be unique', key.range?.[0] ?? 0);
          }
        }
      },
    });
    return document.toJS({ maxAliasCount: MAX_ALIASES }) ?? {};
  });
};

/** The maximum number of unknown values to list. More lines would hide the banner. */
const MAX_WARNINGS = 5;

/**
 * Warns of values that the contract does not list. A real service may add some, and clients have to be tested with new
 * ones.
 */
export const warningsOf = (path: string, data: MockData): string[] => {
  const found = Object.entries(OPEN_ENUMS).flatMap(([list, enums]) => {
    const schema = z.partial(z.object<Readonly<Record<string, z.ZodMiniType>>>(enums));
    return (data[list as (typeof LISTS)[number]] ?? []).flatMap((row, at) => {
      const { error } = schema.safeParse(row);
      return error === undefined ? [] : describeIssues(error, row, `${list}[${at}]`);
    });
  });
  const warnings = found.slice(0, MAX_WARNINGS).map((issue) => `${path}: ${issue.path} ${issue.message}`);
  const more = found.length - warnings.length;
  return more > 0
    ? [...warnings, `${path}: ${counted(more, 'more value is', 'more values are')} not in the contract`]
    : warnings;
};

const dataFrom = (path: string, value: unknown): MockData => {
  if (typeName(value) !== 'an object') {
    throw new UsageError(`${path} must contain an object with arrays of rows: ${LISTS.join(', ')}`);
  }
  return value as MockData;
};

/**
 * Parses the rows in the text of a JSON file.
 *
 * @throws {@link UsageError} When the text is not JSON, or contains faults.
 */
export const rowsIn = (path: string, text: string): MockData => {
  const data = dataFrom(path, parseJson(path, text));
  if (data.faults !== undefined) {
    throw new UsageError(`${path} must contain rows only, because its faults would not be saved`);
  }
  return data;
};

/**
 * Reads what `--data` names. The ending of a file's name says whether it is JSON or YAML.
 *
 * @throws {@link UsageError} When the file does not exist, can't be read, or contains no object.
 */
export const readData = async (data: string): Promise<'minimal' | 'demo' | MockData> => {
  if (data === 'minimal' || data === 'demo') {
    return data;
  }
  const rule = '--data must be minimal, demo, or the path of a JSON or YAML file';
  if (/\.ya?ml$/i.test(data)) {
    return dataFrom(data, await parseYaml(data, readNamed(rule, data, YAML_LIMIT)));
  }
  return dataFrom(data, parseJson(data, readNamed(rule, data)));
};
