import type { Check } from '@confab/internal';
import {
  anyValue,
  checkThat,
  hasMethods,
  integerFrom,
  isBoolean,
  isFunction,
  isObject,
  millisecondsFrom,
  objectOf,
  oneLine,
  oneOf,
  optionProblem,
  orFalse,
  remedyFor,
} from '@confab/internal';
import { hintFor } from '../contract/issues.ts';
import type { Operation } from '../contract/operations.ts';
import type { OperationName } from '../contract/types.ts';
import { ConfigurationError } from '../errors/index.ts';
import { LEVELS } from '../hooks/console-logger.ts';
import type { Hooks } from '../hooks/events.ts';
import type { RateLimit } from '../rate-limit/window.ts';
import type { Redact } from '../secrecy/redact.ts';
import type { Clock } from '../time/clock.ts';
import type { AppInfo, CallOptions, ClientDefaults, ClientOptions, RetryOptions } from './client-options.ts';

// Defined again, because published declarations must not refer to the internal package.
type Checks<Options> = {
  readonly [Name in keyof Required<Options>]: (name: string, value: unknown) => string | undefined;
};

/**
 * Throws the problem without the API key: a caller who mixes up arguments may have passed it as a name or a value.
 *
 * @throws A {@link ConfigurationError} when there is a problem.
 */
export const throwProblem = (problem: string | undefined, redact: Redact): void => {
  if (problem !== undefined) {
    throw new ConfigurationError(oneLine(redact(problem)));
  }
};

/**
 * Checks the names and values of options.
 *
 * @param kind What the names are called in messages: `leads.get option`.
 * @param redact Removes the API key from messages; undefined where no key is known.
 * @throws A {@link ConfigurationError} when a name or value is invalid; for a misspelled name, the message suggests
 * another.
 */
export const checkOptions = <Options extends object>(
  kind: string,
  options: Options,
  checks: Checks<Options>,
  redact: Redact = (text) => text,
  {
    elsewhere,
    example,
    ...details
  }: {
    readonly required?: readonly (keyof Options)[];
    readonly prefix?: string;
    /** Returns a hint on where a name belongs that is not an option here. */
    readonly elsewhere?: (name: string) => string | undefined;
    /** What to pass in place of a string. */
    readonly example?: string;
  } = {},
): void => {
  const hint = (name: string, known: readonly string[]) =>
    `${hintFor([name], known, elsewhere)}.`.replace('?.', '?');
  const remedy = (value: unknown) =>
    example && typeof value === 'string' ? `: pass ${example}` : remedyFor(value);
  throwProblem(optionProblem(kind, options, checks, { ...details, hint, remedy }), redact);
};

const RETRY: Checks<RetryOptions> = {
  limit: integerFrom(0),
  maxRetryAfter: millisecondsFrom(0),
  baseDelay: millisecondsFrom(0),
  maxDelay: millisecondsFrom(0),
  nonIdempotent: isBoolean,
};

const RATE_LIMIT: Checks<RateLimit> = { requests: integerFrom(1), perMs: millisecondsFrom(1) };

const isProduct = checkThat(
  (value) => typeof value === 'string' && /^[\w.+~-]+$/.test(value),
  'a string of letters, digits, `.`, `_`, `+`, `~` and `-`',
);

const APP_INFO: Checks<AppInfo> = { name: isProduct, version: isProduct };

const HOOKS: Checks<Hooks> = {
  onCallStart: isFunction,
  onCallEnd: isFunction,
  onRequest: isFunction,
  onResponse: isFunction,
  onRetry: isFunction,
  onRateLimit: isFunction,
  onPause: isFunction,
  onDrift: isFunction,
};

const isRateLimit = objectOf(
  '"learn", false, or an object such as { requests: 60, perMs: 60_000 }',
  RATE_LIMIT,
  ['requests', 'perMs'],
);

const checkHooks: Check = (_, value) => {
  // An object of hooks may have other properties, which its methods use.
  const hooks = isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => /^on/i.test(name)))
    : (value as object);
  return optionProblem<Hooks>('hooks field', hooks, HOOKS, { prefix: 'hooks.' });
};

const checkLogger = checkThat(
  (value) =>
    isObject(value) &&
    LEVELS.every((level) => Reflect.get(value, level) === undefined || hasMethods(value, level)) &&
    // An empty object silences the client, but one with other names is a mistake.
    (Object.keys(value).length === 0 || LEVELS.some((level) => hasMethods(value, level))),
  'an object with `debug`, `info` or `warn` functions',
);

const hasClockMethods = checkThat(
  (value) => hasMethods(value, 'now', 'sleep'),
  'an object with the methods `now` and `sleep`',
);

const isMilliseconds = checkThat(Number.isFinite, 'a number of milliseconds');

const checkClock: Check = (name, value) =>
  hasClockMethods(name, value) ?? isMilliseconds(`${name}.now()`, (value as Clock).now());

export const CLIENT_DEFAULTS: Checks<ClientDefaults> = {
  timeout: millisecondsFrom(1),
  totalTimeout: orFalse(millisecondsFrom(1)),
  retry: orFalse(objectOf('false, or an object such as { limit: 3 }', RETRY)),
  validation: oneOf('warn', 'strict', 'off'),
  headers: anyValue,
};

export const CALL_OPTIONS: Checks<CallOptions> = {
  ...CLIENT_DEFAULTS,
  signal: checkThat(
    (value) => hasMethods(value, 'addEventListener', 'removeEventListener', 'throwIfAborted'),
    'an AbortSignal',
  ),
  // They are checked together with the fields that they are added to.
  extraQuery: anyValue,
  extraBody: anyValue,
};

/**
 * Returns a hint for an option of a call that was passed as a field of the query or body.
 *
 * @param fields The fields of that query or body. Only the query of a list has an `offset`.
 */
export const hintForCallOption = (name: string, fields: readonly string[]): string | undefined =>
  Object.hasOwn(CALL_OPTIONS, name) || (name === 'prefetch' && fields.includes('offset'))
    ? `\`${name}\` is an option: pass it in the next argument`
    : undefined;

export const CLIENT_OPTIONS: Checks<ClientOptions> = {
  ...CLIENT_DEFAULTS,
  baseUrl: anyValue,
  apiKey: anyValue,
  appInfo: objectOf('an object such as { name: "crm-sync", version: "1.2.0" }', APP_INFO, [
    'name',
    'version',
  ]),
  auth: oneOf('x-api-key', 'bearer'),
  rateLimit: (name, value) =>
    value === 'learn' || value === false || hasMethods(value, 'open') ? undefined : isRateLimit(name, value),
  concurrency: integerFrom(1),
  maxResponseBytes: integerFrom(1),
  fetch: (name, value) =>
    hasMethods(value, 'extend', 'create')
      ? `\`${name}\` must be a function like \`fetch\`, got a ky instance. Pass kyFetch(instance) from @confab/client/ky.`
      : isFunction(name, value),
  clock: checkClock,
  hooks: checkHooks,
  logger: checkLogger,
  dangerouslyAllowBrowser: isBoolean,
  dangerouslyAllowHttp: isBoolean,
};

/** The parts of an operation that the checks of its options need. */
export type NamedOperation = Partial<Pick<Operation, 'params' | 'query' | 'body'>> & {
  readonly id: OperationName;
  readonly label?: string;
};

/**
 * Checks the options of a call. For a name that belongs elsewhere, the message says where.
 *
 * @throws A {@link ConfigurationError} when a name or value is invalid.
 */
export const checkCallOptions = <Options extends object>(
  { id, label = id, params, query, body }: NamedOperation,
  options: Options,
  checks: Checks<Options>,
  redact: Redact,
): void => {
  const elsewhere = (name: string): string | undefined => {
    if (Object.hasOwn(CLIENT_OPTIONS, name)) {
      return `\`${name}\` is an option of createClient`;
    }
    const [place] =
      Object.entries({ query, body }).find(([, part]) => part && Object.hasOwn(part.shape, name)) ?? [];
    return (
      place &&
      `\`${name}\` is a field of the ${place}: pass it in the ${params ? 'second' : 'first'} argument`
    );
  };
  checkOptions(`${label} option`, options, checks, redact, { elsewhere });
};
