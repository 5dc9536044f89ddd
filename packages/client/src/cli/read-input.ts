import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { isError } from '@confab/internal';
import { UsageError } from '@confab/internal/cli';
import type { Operation } from '../contract/index.ts';
import { describeIssues, unknownFields } from '../contract/issues.ts';
import type { ApiCommand, Field } from './commands.ts';
import { kebab } from './commands.ts';
import type { Io } from './io.ts';
import type { CommandLine } from './program.ts';

type Values = Readonly<Record<string, unknown>>;

/** The input of an operation. */
export interface Input {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Values | undefined;
  readonly body: Values | undefined;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Reads the value of a flag. Text that does not fit stays as it is, for the check to report. */
const readValue = ({ types, schema }: Field, given: string | boolean): unknown => {
  // Only `--no-notes` has no text.
  if (typeof given === 'boolean') {
    return null;
  }
  if (types.includes('string')) {
    return schema.format === 'date-time' && DAY.test(given) ? `${given}T00:00:00Z` : given;
  }
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
};

const readText = async (source: string, { stdin }: Io): Promise<string> => {
  try {
    return source.startsWith('@')
      ? await readFile(source.slice(1), 'utf8')
      : source === '-'
        ? await text(stdin())
        : source;
  } catch (error) {
    throw new UsageError(`Cannot read --data ${source}: ${isError(error) ? error.message : error}.`);
  }
};

const readBody = async (source: string, io: Io): Promise<Values> => {
  const text = await readText(source, io);
  // What is not UTF-8, or was lost in an earlier conversion, is read as U+FFFD.
  const [valid = ''] = text.split('\uFFFD', 1);
  if (valid !== text) {
    throw new UsageError(
      `--data ${source.startsWith('@') ? `${source} ` : ''}is not UTF-8: see byte ${Buffer.byteLength(valid)}. Save it as UTF-8.`,
    );
  }
  try {
    // Some editors write a byte order mark, which JSON does not allow.
    const body: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
      return body as Values;
    }
  } catch {
    // The text may be long, and personal.
  }
  throw new UsageError(
    '--data must be one JSON object, such as \'{"phone":"+442079460958"}\', or name a file that contains one, such as @lead.json.',
  );
};

/** Says what is wrong with some values, in the words of the contract. */
const problemsOf = (
  values: Values | undefined,
  schema: Operation['query'],
  known: readonly string[],
  labelOf: (name: string) => string,
): string[] => {
  const { error } = schema?.safeParse(values) ?? {};
  return describeIssues(error ?? { issues: [] }, values, '', undefined, (names) =>
    unknownFields(names, known),
  ).map(({ path, message }) => {
    const [name = ''] = path.split(/[.[]/);
    if (name !== '' && values?.[name] === undefined) {
      return `${labelOf(name)} is missing.`;
    }
    // A suggestion ends with a question mark.
    return `${name === '' ? '--data' : labelOf(name)} ${message}${message.endsWith('?') ? '' : '.'}`;
  });
};

/**
 * Reads what to call an operation with from the arguments and flags of its command.
 *
 * @throws {@link UsageError} When a value is missing or invalid.
 */
export const readInput = async (
  { resource, name, operation, fields, params: places }: ApiCommand,
  { args, flags }: CommandLine,
  io: Io,
): Promise<Input> => {
  const named = (place: Field['place']) => fields.filter((field) => field.place === place);
  const given = (place: Field['place']) =>
    Object.fromEntries(
      named(place).flatMap((field) => {
        const flag = flags[field.name];
        return flag === undefined ? [] : [[field.name, readValue(field, flag)]];
      }),
    );
  const params = Object.fromEntries(places.map((param, index) => [param.name, args[index] ?? '']));
  const query = operation.query && given('query');
  const data = flags.data === undefined ? {} : await readBody(String(flags.data), io);
  const body = operation.body && { ...data, ...given('body') };

  const problems = [
    ...problemsOf(params, operation.params, [], (param) => `<${param}>`),
    ...(['query', 'body'] as const).flatMap((place) =>
      problemsOf(
        { query, body }[place],
        operation[place],
        named(place).map((field) => field.name),
        (field) => `--${kebab(field)}`,
      ),
    ),
  ];
  if (body && Object.keys(body).length === 0 && problems.length === 0) {
    problems.push('Nothing to send. Pass a flag of a field, or --data.');
  }
  if (problems.length > 0) {
    throw new UsageError(`${problems.join(' ')} See confab ${resource} ${name} --help.`);
  }
  return { params, query, body };
};

/** Values that the contract does not know may be new, but more often they are misspelled. */
export const unknownValues = ({ fields }: ApiCommand, { query, body }: Input): string[] =>
  fields.flatMap(({ name, values }) => {
    const value = { ...query, ...body }[name];
    return values.length > 0 && value !== undefined && !values.includes(String(value))
      ? [`--${kebab(name)} has the unknown value ${JSON.stringify(value)}. Known: ${values.join(', ')}.`]
      : [];
  });
