import type { Hints } from './unknown-names.ts';
import { unknownNames } from './unknown-names.ts';
import { isObject, typeName } from './values.ts';

/** Describes what is wrong with the value of an option, or returns undefined if it is valid. */
export type Check = (name: string, value: unknown) => string | undefined;

/** One check for each option. The compiler refuses a list with a name too many or too few. */
export type Checks<Options> = { readonly [Name in keyof Required<Options>]: Check };

/** No valid option is a longer string; a longer one may be a key in the wrong place. */
const MAX_SHOWN = 16;

/** Formats a value for a message: a primitive as it is, a long string as its length, an object as its type. */
export const showValue = (value: unknown, maxLength = MAX_SHOWN): string => {
  if (typeof value === 'string') {
    return value.length > maxLength ? `a string of ${[...value].length} characters` : JSON.stringify(value);
  }
  return Object(value) === value ? typeName(value) : String(value);
};

/**
 * @param words What the value must be.
 * @param format Formats the received value.
 */
export const checkThat =
  (
    holds: (value: unknown) => boolean,
    words: string,
    format: (value: unknown) => string = (value) => showValue(value),
  ): Check =>
  (name, value) =>
    holds(value) ? undefined : `\`${name}\` must be ${words}, got ${format(value)}.`;

export const millisecondsFrom = (least: number): Check =>
  checkThat(
    (value) => Number.isFinite(value) && (value as number) >= least,
    `a finite number of milliseconds of at least ${least}`,
  );

export const integerFrom = (least: number): Check =>
  checkThat(
    (value) => Number.isInteger(value) && (value as number) >= least,
    `a whole number of at least ${least}`,
  );

export const oneOf = (...values: readonly unknown[]): Check =>
  checkThat(
    (value) => values.includes(value),
    `one of ${values.map((value) => showValue(value)).join(', ')}`,
  );

export const isBoolean: Check = /* @__PURE__ */ checkThat(
  (value) => typeof value === 'boolean',
  'true or false',
);

export const isFunction: Check = /* @__PURE__ */ checkThat(
  (value) => typeof value === 'function',
  'a function',
);

/** Accepts `false` as well. */
export const orFalse =
  (check: Check): Check =>
  (name, value) =>
    value === false ? undefined : check(name, value);

/** Accepts any value: the option is checked where it is used. */
export const anyValue: Check = () => undefined;

/**
 * Describes the first problem of options, which must be an object without unknown names, whose values pass their checks.
 * Options that are undefined are not checked.
 *
 * @param kind What the names are: `createClient option`, `retry field`.
 * @param required Options that must not be undefined.
 * @param prefix What messages put before a name: `retry.`.
 * @example
 * ```ts
 * const problem = optionProblem('serve() option', options, { port: integerFrom(0), host: isString });
 * if (problem !== undefined) throw new TypeError(problem);
 * ```
 */
export const optionProblem = <Options extends object>(
  kind: string,
  options: Options,
  checks: Checks<Options>,
  {
    required = [],
    prefix = '',
    ...hints
  }: Hints & {
    readonly required?: readonly (keyof Options)[] | undefined;
    readonly prefix?: string | undefined;
  } = {},
): string | undefined => {
  const names = Object.keys(checks) as (keyof Options & string)[];
  return (
    unknownNames(kind, options, names, hints) ??
    names
      .filter((name) => options[name] !== undefined || required.includes(name))
      .map((name) => checks[name](prefix + name, options[name]))
      .find(Boolean)
  );
};

/** Checks an object by its fields. */
export const objectOf =
  <Fields extends object>(
    words: string,
    checks: Checks<Fields>,
    required: readonly (keyof Fields)[] = [],
  ): Check =>
  (name, value) =>
    checkThat(isObject, words)(name, value) ??
    optionProblem(`${name} field`, value as Fields, checks, { required, prefix: `${name}.` });
