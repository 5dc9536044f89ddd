import { typeName } from '@confab/internal';
import { ConfigurationError } from '../errors/index.ts';
import { checkNames } from './check-names.ts';

/**
 * Checks the value of an option.
 *
 * @throws {@link ConfigurationError} When the value is invalid.
 */
export type Check = (name: string, value: unknown) => void;

/** One check for each option. The compiler refuses a list with a name too many or too few. */
export type Checks<Options> = { readonly [Name in keyof Required<Options>]: Check };

/** No valid value is longer; a longer one may be the API key in the wrong place. */
const LONGEST_SHOWN = 16;

/** Formats a value for a message. */
const show = (value: unknown): string => {
  if (typeof value === 'string') {
    return value.length > LONGEST_SHOWN ? `a string of ${value.length} characters` : JSON.stringify(value);
  }
  return typeof value === 'object' || typeof value === 'function' ? typeName(value) : String(value);
};

/** @param words What the value must be. */
export const must =
  (holds: (value: unknown) => boolean, words: string): Check =>
  (name, value) => {
    if (!holds(value)) {
      throw new ConfigurationError(`\`${name}\` must be ${words}, got ${show(value)}.`);
    }
  };

const isNumber = (value: unknown, least: number): value is number =>
  typeof value === 'number' && value >= least && value < Number.POSITIVE_INFINITY;

export const numberFrom = (least: number): Check =>
  must((value) => isNumber(value, least), `a number of at least ${least}`);

export const wholeFrom = (least: number): Check =>
  must((value) => isNumber(value, least) && Number.isInteger(value), `a whole number of at least ${least}`);

export const oneOf = (...values: readonly string[]): Check =>
  must((value) => values.includes(value as string), `one of ${values.map(show).join(', ')}`);

export const isBoolean: Check = must((value) => typeof value === 'boolean', 'true or false');

export const isFunction: Check = must((value) => typeof value === 'function', 'a function');

/** Returns true for anything that has all these methods. */
export const hasMethods = (value: unknown, ...methods: readonly PropertyKey[]): boolean =>
  methods.every((method) => typeof Object(value)[method] === 'function');

/** Accepts `false` as well. */
export const orFalse =
  (check: Check): Check =>
  (name, value) =>
    value === false || check(name, value);

/** For options that are checked where they are used. */
export const later: Check = () => {};

/**
 * Checks options: an object without unknown names, whose values pass their checks. Options that are undefined are left
 * out.
 *
 * @param kind One of them, as messages call it: `option of leads.get`.
 * @param prefix What messages put before a name: `retry.`.
 * @throws {@link ConfigurationError} When a name or value is invalid.
 */
export const checkOptions = <Options extends object>(
  kind: string,
  options: Options,
  checks: Checks<Options>,
  prefix = '',
): void => {
  checkNames(kind, options, Object.keys(checks));
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined) {
      checks[name as keyof Options](prefix + name, value);
    }
  }
};
