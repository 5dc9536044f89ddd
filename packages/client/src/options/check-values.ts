import { ConfigurationError } from '../errors/index.ts';

/** Longer texts are no option's value; one of them may be the key in the wrong place. */
const LONGEST_SHOWN = 16;

/** A value, as a message shows it. */
export const show = (value: unknown): string => {
  if (typeof value !== 'string') {
    return String(value);
  }
  return value.length > LONGEST_SHOWN ? `a text of ${value.length} characters` : JSON.stringify(value);
};

/** @throws {@link ConfigurationError} Unless the value is a number of at least so much. */
export const atLeast = (least: number, name: string, value: unknown, whole = false): void => {
  const fits = typeof value === 'number' && Number.isFinite(value) && value >= least;
  if (!fits || (whole && !Number.isInteger(value))) {
    throw new ConfigurationError(
      `\`${name}\` must be a${whole ? ' whole' : ''} number of at least ${least}, not ${show(value)}.`,
    );
  }
};

/** @throws {@link ConfigurationError} Unless the value is one of these. */
export const oneOf = (values: readonly unknown[], name: string, value: unknown): void => {
  if (!values.includes(value)) {
    throw new ConfigurationError(`\`${name}\` must be ${values.map(show).join(' or ')}, not ${show(value)}.`);
  }
};
