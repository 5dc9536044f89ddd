import { unknownNames } from '@confab/internal';
import { WebhookConfigurationError } from './errors.ts';

/**
 * Refuses options that are not an object, and options with an unknown name. TypeScript catches most misspellings; this
 * check is for JavaScript, and for options from elsewhere.
 *
 * @param kind What each name is: `option of createWebhooks`, `field of dedupe`.
 * @throws {@link WebhookConfigurationError} When a name is unknown, or the options are not an object.
 */
export const checkNames = <Options>(
  kind: string,
  given: Options,
  known: readonly (keyof Options & string)[],
): void => {
  const problem = unknownNames(kind, given, known);
  if (problem !== undefined) {
    throw new WebhookConfigurationError(problem);
  }
};

const invalid = (option: string, rule: string, given: unknown): WebhookConfigurationError =>
  new WebhookConfigurationError(`${option} must be ${rule}, got ${given}.`);

/**
 * Returns an option that is a function.
 *
 * @throws {@link WebhookConfigurationError} When it is not.
 */
export const functionOf = <Value>(value: Value, option: string): Value => {
  if (typeof value === 'function') {
    return value;
  }
  throw invalid(option, 'a function', typeof value);
};

/**
 * Returns an option that is a positive number, and not infinite.
 *
 * @throws {@link WebhookConfigurationError} When it is not.
 */
export const positiveNumber = (value: number, option: string): number => {
  if (value > 0 && Number.isFinite(value)) {
    return value;
  }
  throw invalid(option, 'a positive number', value);
};

/**
 * Returns an option that is a positive integer.
 *
 * @throws {@link WebhookConfigurationError} When it is not.
 */
export const positiveInteger = (value: number, option: string): number => {
  if (value > 0 && Number.isSafeInteger(value)) {
    return value;
  }
  throw invalid(option, 'a positive integer', value);
};

/** Explains that a required text is missing, in what way, and what to do. */
export const unsetProblem = (what: unknown): string => `is ${what}. Is its environment variable set?`;

/** Explains a text that `String()` made of a missing value, or of one that is not text. */
export const placeholderProblem = (text: string): string | undefined =>
  /^(?:undefined|null|none|nil|nan|\[object \w+])$/i.test(text)
    ? unsetProblem(`the text "${text}"`)
    : undefined;

/**
 * Returns an option that is a text of a certain form.
 *
 * @param rule The form, for the message: `a header name`.
 * @throws {@link WebhookConfigurationError} When it is not, or a placeholder such as "undefined".
 */
export const textOf = (value: unknown, option: string, rule = 'a string', form = /^/): string => {
  if (typeof value !== 'string' || !form.test(value)) {
    throw invalid(option, rule, JSON.stringify(value));
  }
  const problem = placeholderProblem(value);
  if (problem !== undefined) {
    throw new WebhookConfigurationError(`${option} ${problem}`);
  }
  return value;
};

/**
 * Returns the name of a header in lower case.
 *
 * @throws {@link WebhookConfigurationError} When it is invalid.
 */
export const headerName = (name: unknown, option: string): string =>
  textOf(name, option, 'a header name', /^[\w!#$%&'*+.^`|~-]+$/).toLowerCase();
