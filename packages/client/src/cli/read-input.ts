import { didYouMean, UsageError } from '@confab/internal/cli';
import { preview } from '../contract/issues.ts';
import type { Command } from './command.ts';
import type { FieldFlag } from './field-flag.ts';
import type { Io } from './io.ts';
import type { FlagValues } from './parse-command-line.ts';
import { readBody } from './read-body.ts';
import { readValue } from './read-value.ts';
import { checkShape } from './shapes/check-shape.ts';

/** What an operation is called with. */
export interface CommandInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>> | undefined;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** Worth a look, but no reason to stop. */
  readonly warnings: readonly string[];
}

const readParams = ({ name, params }: Command, positionals: readonly string[]): Record<string, string> => {
  const surplus = positionals[params.length];
  if (surplus !== undefined) {
    throw new UsageError(`Unexpected argument ${JSON.stringify(surplus)}. See confab ${name} --help.`);
  }
  return Object.fromEntries(
    params.map(([param, shape], index) => {
      const label = param.toUpperCase();
      const text = positionals[index];
      if (text === undefined) {
        throw new UsageError(`No ${label}. Use confab ${name} ${label}. See confab ${name} --help.`);
      }
      return [param, String(readValue(label, text, shape))];
    }),
  );
};

/** Returns undefined for a flag that is not given. */
const flagValue = ({ flag, shape }: FieldFlag, values: FlagValues): unknown => {
  const given = values[flag];
  if (values[`no-${flag}`] === true) {
    if (given !== undefined) {
      throw new UsageError(`--${flag} can't be used with --no-${flag}.`);
    }
    return shape.type === 'boolean' ? false : null;
  }
  if (Array.isArray(given)) {
    return given.map((text) => readValue(`--${flag}`, String(text), shape.items ?? shape));
  }
  return typeof given === 'string' ? readValue(`--${flag}`, given, shape) : given;
};

const given = (flags: readonly FieldFlag[], values: FlagValues): Record<string, unknown> =>
  Object.fromEntries(
    flags
      .map((flag) => [flag.field, flagValue(flag, values)] as const)
      .filter(([, value]) => value !== undefined),
  );

/** A value that the contract does not know may be new, but more often it is misspelled. */
const unknownValues = (flags: readonly FieldFlag[], values: FlagValues): string[] =>
  flags.flatMap(({ flag, values: known }) => {
    const text = values[flag];
    return typeof text === 'string' && known.length > 0 && !known.includes(text)
      ? [
          `--${flag} ${JSON.stringify(text)} is none of the known values ${known.join(', ')}. ${didYouMean(text, known)}`.trimEnd(),
        ]
      : [];
  });

const checkBody = ({ name, shapes, flags }: Command, body: Readonly<Record<string, unknown>>): void => {
  const missing = flags
    .filter(({ place, required, field }) => place === 'body' && required && body[field] === undefined)
    .map(({ flag }) => `--${flag}`);
  if (missing.length > 0) {
    throw new UsageError(`${name} needs ${missing.join(' and ')}. See confab ${name} --help.`);
  }
  const [issue] = shapes.body ? checkShape(body, shapes.body, { show: preview, most: 1 }) : [];
  if (issue !== undefined) {
    const { path, message } = issue;
    // A suggestion ends with a question mark.
    const end = message.endsWith('?') ? '' : '.';
    throw new UsageError(`--data ${path === '' ? '' : `has an invalid ${path}, which `}${message}${end}`);
  }
};

/**
 * Reads what to call an operation with from the flags and arguments of its command.
 *
 * @throws {@link UsageError} When a value is missing or invalid.
 */
export const readInput = async (
  command: Command,
  values: FlagValues,
  positionals: readonly string[],
  io: Io,
): Promise<CommandInput> => {
  const { name, flags, operation } = command;
  const params = readParams(command, positionals);
  const fields = (place: FieldFlag['place']) =>
    given(
      flags.filter((flag) => flag.place === place),
      values,
    );
  const query = operation.query && fields('query');
  let body: Record<string, unknown> | undefined;
  if (operation.body !== undefined) {
    const set = fields('body');
    const source = values.data;
    if (source === undefined && Object.keys(set).length === 0 && flags.every(({ required }) => !required)) {
      throw new UsageError(`${name} has nothing to send. Pass a flag of a field, or --data.`);
    }
    body = { ...(typeof source === 'string' ? await readBody(source, io) : {}), ...set };
    checkBody(command, body);
  }
  return { params, query, body, warnings: unknownValues(flags, values) };
};
