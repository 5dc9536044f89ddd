import { checkThat, isObject, oneOf, optionProblem } from '@confab/internal';
import { WebhookConfigurationError } from './errors.ts';

// The type is repeated here, because the published declarations must not refer to the internal package.

/** Describes what is wrong with the value of an option; undefined if nothing is. */
export type Check = (name: string, value: unknown) => string | undefined;

type Checks<Options> = { readonly [Name in keyof Required<Options>]: Check };

/**
 * Refuses options that are not an object, have unknown names, or have values that do not pass their checks. TypeScript
 * catches most mistakes; this function catches those in JavaScript, and in options from elsewhere.
 *
 * @param kind The kind of the names, such as `createWebhooks option` or `dedupe field`.
 * @param required The options that must not be undefined. A message names them if it refuses what is not an object.
 * @param prefix The text before each name in messages, such as `dedupe.`.
 * @throws A {@link WebhookConfigurationError} when an option is invalid.
 */
export const checkOptions = <Options extends object>(
  kind: string,
  options: Options,
  checks: Checks<Options>,
  required: readonly (keyof Options & string)[] = [],
  prefix?: string,
): void => {
  const remedy = (value: unknown) =>
    isObject(value) || required.length === 0 ? '' : `: pass { ${required.join(', ')} }`;
  const problem = optionProblem(kind, options, checks, { required, prefix, remedy });
  if (problem !== undefined) {
    throw new WebhookConfigurationError(problem);
  }
};

export const isHeaderName: Check = /* @__PURE__ */ checkThat(
  (value) => typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(value),
  'a header name',
);

export const isHeaderList: Check = (name, value) =>
  checkThat(Array.isArray, 'a list')(name, value) ??
  (value as unknown[]).map((header, index) => isHeaderName(`${name}[${index}]`, header)).find(Boolean);

export const isSeconds: Check = /* @__PURE__ */ checkThat(
  (value) => Number.isFinite(value) && (value as number) > 0,
  'a positive number',
);

export const DEFAULT_TOLERANCE = 300;

export const isUnit: Check = /* @__PURE__ */ oneOf('seconds', 'milliseconds');

export const isText: Check = /* @__PURE__ */ checkThat((value) => typeof value === 'string', 'a string');
