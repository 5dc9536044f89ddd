import { ConfigurationError } from '../errors/index.ts';

/** No valid value is longer; a longer one may be the API key in the wrong place. */
const LONGEST_SHOWN = 16;

/** Formats a value for a message. */
export const show = (value: unknown): string => {
  if (typeof value !== 'string') {
    return String(value);
  }
  return value.length > LONGEST_SHOWN ? `a string of ${value.length} characters` : JSON.stringify(value);
};

/** @throws {@link ConfigurationError} When the value is not a number of at least `least`. */
export const atLeast = (least: number, name: string, value: unknown, whole = false): void => {
  const fits = typeof value === 'number' && Number.isFinite(value) && value >= least;
  if (!fits || (whole && !Number.isInteger(value))) {
    throw new ConfigurationError(
      `\`${name}\` must be a${whole ? ' whole' : ''} number of at least ${least}, not ${show(value)}.`,
    );
  }
};

/** @throws {@link ConfigurationError} When the value is not in the list. */
export const oneOf = (values: readonly unknown[], name: string, value: unknown): void => {
  if (!values.includes(value)) {
    throw new ConfigurationError(`\`${name}\` must be ${values.map(show).join(' or ')}, not ${show(value)}.`);
  }
};
