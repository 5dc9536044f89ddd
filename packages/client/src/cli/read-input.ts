import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { UsageError } from '@confab/internal/cli';
import type { InvalidRequestError, Issue } from '../index.ts';
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

/**
 * Converts the value of a flag to the type of its field. A value that does not fit is left for the client to refuse.
 */
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
  if (source === '-') {
    return text(stdin());
  }
  try {
    return source.startsWith('@') ? await readFile(source.slice(1), 'utf8') : source;
  } catch (error) {
    throw new UsageError(`Cannot read --data ${source}: ${(error as Error).message}.`);
  }
};

const readBody = async (source: string, io: Io): Promise<Values> => {
  const text = await readText(source, io);
  // Bytes that are not UTF-8, or were lost in an earlier conversion, are read as U+FFFD.
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
    // The message does not quote the text, which may contain personal data.
  }
  throw new UsageError(
    '--data must be one JSON object, such as \'{"phone":"+442079460958"}\', or name a file that contains one, such as @lead.json.',
  );
};

/**
 * Reads the input of an operation from the arguments and flags of its command.
 *
 * @throws A {@link UsageError} when a body cannot be read.
 */
export const readInput = async (
  { operation, fields, params: places }: ApiCommand,
  { args, flags }: CommandLine,
  io: Io,
): Promise<Input> => {
  const given = (place: Field['place']) =>
    Object.fromEntries(
      fields.flatMap((field) => {
        const flag = flags[field.name];
        return field.place !== place || flag === undefined ? [] : [[field.name, readValue(field, flag)]];
      }),
    );
  const data = flags.data === undefined ? {} : await readBody(String(flags.data), io);
  return {
    params: Object.fromEntries(places.map((param, index) => [param.name, args[index] ?? ''])),
    query: operation.query && given('query'),
    body: operation.body && { ...data, ...given('body') },
  };
};

/** Creates the error for an invalid input, which names flags instead of fields. */
export const inputProblem = (
  { resource, name, params }: ApiCommand,
  { query, body }: Input,
  { issues }: Pick<InvalidRequestError, 'issues'>,
): UsageError => {
  const sentenceOf = ({ path, message }: Issue): string => {
    const [place = '', field = ''] = path.split(/[.[]/);
    if (field !== '' && { ...query, ...body }[field] === undefined) {
      return `--${kebab(field)} is missing.`;
    }
    const isParam = params.some((param) => param.name === place);
    const label = isParam ? `<${place}>` : field === '' ? '--data' : `--${kebab(field)}`;
    // A suggestion ends with a question mark.
    return `${label} ${message}${message.endsWith('?') ? '' : '.'}`;
  };
  return new UsageError(`${issues.map(sentenceOf).join(' ')} See confab ${resource} ${name} --help.`);
};

/** Returns a warning for each undocumented value, which may be new but is probably misspelled. */
export const unknownValues = ({ fields }: ApiCommand, { query, body }: Input): string[] =>
  fields.flatMap(({ name, values }) => {
    const value = { ...query, ...body }[name];
    return values.length > 0 && value !== undefined && !values.includes(String(value))
      ? [`--${kebab(name)} has the unknown value ${JSON.stringify(value)}. Known: ${values.join(', ')}.`]
      : [];
  });
