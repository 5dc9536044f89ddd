import { checkThat, oneOf, optionProblem } from '@confab/internal';
import { WebhookConfigurationError } from './errors.ts';

// Written out, so that the published declarations do not lead to the internal package.

/** Describes what is wrong with the value of an option; undefined if nothing is. */
export type Check = (name: string, value: unknown) => string | undefined;

type Checks<Options> = { readonly [Name in keyof Required<Options>]: Check };

/**
 * Refuses options that are not an object, unknown names, and values that do not pass their checks. TypeScript catches
 * most of them; this is for JavaScript, and for options from elsewhere.
 *
 * @param kind What the names are: `option of createWebhooks`, `field of dedupe`.
 * @param required The options that must not be undefined.
 * @param prefix What messages put before a name: `dedupe.`.
 * @throws {@link WebhookConfigurationError} When an option is invalid.
 */
export const checkOptions = <Options extends object>(
  kind: string,
  options: Options,
  checks: Checks<Options>,
  required?: readonly (keyof Options)[],
  prefix?: string,
): void => {
  const problem = optionProblem(kind, options, checks, { required, prefix });
  if (problem !== undefined) {
    throw new WebhookConfigurationError(problem);
  }
};

/** For names of headers. */
export const isHeaderName: Check = /* @__PURE__ */ checkThat(
  (value) => typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(value),
  'a header name',
);

/** For numbers of seconds. */
export const isSeconds: Check = /* @__PURE__ */ checkThat(
  (value) => Number.isFinite(value) && (value as number) > 0,
  'a positive number',
);

/** The default of `toleranceSeconds`. */
export const DEFAULT_TOLERANCE_SECONDS = 300;

/** For the units of timestamps. */
export const isTimestampUnit: Check = /* @__PURE__ */ oneOf('seconds', 'milliseconds');

/** For texts that may be empty. */
export const isText: Check = /* @__PURE__ */ checkThat((value) => typeof value === 'string', 'a string');
