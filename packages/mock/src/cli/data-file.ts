import { existsSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { describeIssues } from '@confab/client/contract';
import { typeName } from '@confab/internal';
import { UsageError } from '@confab/internal/cli';
import * as z from 'zod/mini';
import { pluralize } from '../errors/check.ts';
import { RESOURCE_NAMES } from '../world/resources/names.ts';
import type { AnyResource } from '../world/resources/resource.ts';
import { RESOURCES } from '../world/resources/resources.ts';
import type { MockData } from '../world/store/store.ts';
import { orUsageError, parseJson, readIfExists, readRequired, toJson } from './files.ts';

/** The largest file that the YAML parser reads within a second, whatever it contains. */
const YAML_LIMIT = { bytes: 256 * 1024, text: '256 KiB. Write it as JSON, which is read much faster.' };

/** More values than a file of that size contains without aliases. A few lines of aliases can make billions. */
const MAX_VALUES = 500_000;

const checkCount = (value: unknown): void => {
  let values = 0;
  JSON.stringify(value, (_, part: unknown) => {
    values += 1;
    if (values > MAX_VALUES) {
      throw new Error(`Its aliases make more than ${MAX_VALUES} values`);
    }
    return typeof part === 'string' ? '' : part;
  });
};

const parseYaml = async (path: string, text: string): Promise<unknown> => {
  // Loaded late: most mocks start without a YAML file.
  const yaml = await import('js-yaml');
  /** Reads an unquoted phone number as a string, although YAML would read it as a number. */
  const phone = yaml.defineScalarTag('!phone', {
    implicit: true,
    implicitFirstChars: ['+'],
    resolve: (source) => (/^\+\d+$/.test(source) ? source : yaml.NOT_RESOLVED),
    identify: () => false,
  });
  const schema = new yaml.Schema([phone, ...yaml.CORE_SCHEMA.tags, yaml.mergeTag]);
  return orUsageError(`${path} is not YAML`, () => {
    try {
      const [value, ...more] = yaml.loadAll(text, { schema, maxTotalMergeKeys: MAX_VALUES });
      if (more.length > 0) {
        throw new Error('It must contain a single document');
      }
      checkCount(value);
      return value ?? {};
    } catch (error) {
      // The message of the parser quotes several lines of the file.
      throw error instanceof yaml.YAMLException && error.mark
        ? new Error(`${error.reason} at line ${error.mark.line + 1}, column ${error.mark.column + 1}`)
        : error;
    }
  });
};

/** The maximum number of unknown values to list. More lines would hide the banner. */
const MAX_WARNINGS = 5;

/**
 * Warns of values that the contract does not list. A real service may add some, and clients have to be tested with new
 * ones.
 */
export const findWarnings = (path: string, data: MockData): string[] => {
  const found = RESOURCE_NAMES.flatMap((list) => {
    const { openEnums = {} }: AnyResource = RESOURCES[list];
    const schema = z.partial(z.object(openEnums));
    return (data[list] ?? []).flatMap((row, index) => {
      const { error } = schema.safeParse(row);
      return error === undefined ? [] : describeIssues(error, row, `${list}[${index}]`);
    });
  });
  const warnings = found.slice(0, MAX_WARNINGS).map((issue) => `${path}: ${issue.path} ${issue.message}`);
  const more = found.length - warnings.length;
  return more > 0
    ? [...warnings, `${path}: ${pluralize(more, 'more value is', 'more values are')} not in the contract`]
    : warnings;
};

const checkData = (path: string, value: unknown): MockData => {
  if (typeName(value) !== 'an object') {
    throw new UsageError(`${path} must contain an object with arrays of rows: ${RESOURCE_NAMES.join(', ')}`);
  }
  return value as MockData;
};

/**
 * Parses the data in the text of a JSON file.
 *
 * @throws A {@link UsageError} when the text is not JSON, or not an object.
 */
export const parseData = (path: string, text: string): MockData => checkData(path, parseJson(path, text));

/**
 * Reads the value of `--data`. The extension of a file tells YAML from JSON.
 *
 * @throws A {@link UsageError} when the file does not exist, can't be read, or contains no object.
 */
export const readData = async (data: string): Promise<'minimal' | 'demo' | MockData> => {
  if (data === 'minimal' || data === 'demo') {
    return data;
  }
  const rule = '--data must be minimal, demo, or the path of a JSON or YAML file';
  if (/\.ya?ml$/i.test(data)) {
    return checkData(data, await parseYaml(data, readRequired(rule, data, YAML_LIMIT)));
  }
  return parseData(data, readRequired(rule, data));
};

/**
 * Reads the data that `--state` saved in the last run; `undefined` if the file is new.
 *
 * @throws A {@link UsageError} when the file can't be read, or contains no object.
 */
export const readState = (path: string): MockData | undefined => {
  const text = readIfExists(path);
  return text === undefined ? undefined : parseData(path, text);
};

const SCHEMA = 'node_modules/@confab/mock/data.schema.json';

/**
 * Renders the text of a data file.
 *
 * @param path The path of the file. If the package is installed there, the text refers to its JSON Schema, for editors.
 */
export const renderDataFile = (path: string, data: MockData): string => {
  const from = dirname(resolve(path));
  const schemas = [...from.split(sep).keys()].map((levels) => `./${'../'.repeat(levels)}${SCHEMA}`);
  const $schema = data.$schema ?? schemas.find((file) => existsSync(join(from, file)));
  return toJson({ $schema, ...data });
};
