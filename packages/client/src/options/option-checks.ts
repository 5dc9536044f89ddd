import { CONNECTION_HEADERS } from '@confab/internal';
import { ConfigurationError } from '../errors/index.ts';
import { checkNames } from './check-names.ts';
import type { Check, Checks } from './check-values.ts';
import {
  checkOptions,
  hasMethods,
  isBoolean,
  isFunction,
  later,
  must,
  numberFrom,
  oneOf,
  orFalse,
  wholeFrom,
} from './check-values.ts';
import type {
  AppInfo,
  CallOptions,
  ClientOptions,
  HeaderValues,
  RateLimit,
  RetryOptions,
} from './client-options.ts';
import type { Hooks } from './events.ts';
import { isObject } from './is-object.ts';

/** For an object that must have every field. */
const whole =
  (words: string, checks: Readonly<Record<string, Check>>): Check =>
  (name, value) => {
    must(isObject, words)(name, value);
    checkNames(`field of ${name}`, value, Object.keys(checks));
    for (const [field, check] of Object.entries(checks)) {
      check(`${name}.${field}`, Reflect.get(value as object, field));
    }
  };

const RETRY: Checks<RetryOptions> = {
  limit: wholeFrom(0),
  maxRetryAfter: numberFrom(0),
  baseDelay: numberFrom(0),
  maxDelay: numberFrom(0),
  nonIdempotent: isBoolean,
};

const RATE_LIMIT: Checks<RateLimit> = { requests: wholeFrom(1), perMs: numberFrom(1) };

const isProduct = must(
  (value) => typeof value === 'string' && /^[\w.+~-]+$/.test(value),
  'a string of letters, digits, `.`, `_`, `+`, `~` and `-`',
);

const APP_INFO: Checks<AppInfo> = { name: isProduct, version: isProduct };

export const HOOKS: Checks<Hooks> = {
  onCallStart: isFunction,
  onCallEnd: isFunction,
  onRequest: isFunction,
  onResponse: isFunction,
  onRetry: isFunction,
  onRateLimit: isFunction,
  onPause: isFunction,
  onDrift: isFunction,
};

const checkRateLimit: Check = (name, value) => {
  if (value === 'learn' || value === false || hasMethods(value, 'open')) {
    return;
  }
  whole('"learn", false, or an object such as { requests: 60, perMs: 60_000 }', RATE_LIMIT)(name, value);
};

const checkHooks: Check = (_, value) => {
  // An object of hooks may have other properties, which its methods use.
  const hooks = isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => /^on/i.test(name)))
    : (value as object);
  checkOptions<Hooks>('field of hooks', hooks, HOOKS, 'hooks.');
};

const checkLogger = must(
  (value) =>
    isObject(value) &&
    (['debug', 'info', 'warn'] as const).every(
      (level) => Reflect.get(value, level) === undefined || hasMethods(value, level),
    ),
  'an object whose `debug`, `info` and `warn` are functions',
);

const shared = {
  timeout: numberFrom(1),
  deadline: orFalse(numberFrom(1)),
  retry: orFalse((name, value) => {
    must(isObject, 'an object or false')(name, value);
    checkOptions('field of retry', value as RetryOptions, RETRY, 'retry.');
  }),
  validation: oneOf('warn', 'strict', 'off'),
  headers: later,
};

export const CALL_OPTIONS: Checks<CallOptions> = {
  ...shared,
  signal: must(
    (value) => hasMethods(value, 'addEventListener', 'removeEventListener', 'throwIfAborted'),
    'an AbortSignal',
  ),
  // They are checked together with the fields that they are added to.
  extraQuery: later,
  extraBody: later,
};

export const CLIENT_OPTIONS: Checks<ClientOptions> = {
  ...shared,
  baseUrl: later,
  apiKey: later,
  appInfo: whole('an object such as { name: "crm-sync", version: "1.2.0" }', APP_INFO),
  auth: oneOf('x-api-key', 'bearer'),
  rateLimit: checkRateLimit,
  concurrency: wholeFrom(1),
  maxResponseBytes: wholeFrom(1),
  fetch: (name, value) => {
    isFunction(name, value);
    if (hasMethods(value, 'extend', 'create')) {
      throw new ConfigurationError(
        `\`${name}\` must be a function like \`fetch\`, got a ky instance. Pass kyFetch(instance) from @confab/client/ky.`,
      );
    }
  },
  clock: must((value) => hasMethods(value, 'now', 'sleep'), 'an object with the methods `now` and `sleep`'),
  hooks: checkHooks,
  logger: checkLogger,
  dangerouslyAllowBrowser: isBoolean,
  dangerouslyAllowHttp: isBoolean,
};

/**
 * Checks the `headers` option and returns it with names in lower case and without headers that are undefined.
 *
 * @param reserved The header that carries the API key.
 * @throws {@link ConfigurationError} When a name or value is invalid, or the reserved header is set.
 */
export const checkHeaders = (headers: HeaderValues, reserved: string): Readonly<Record<string, string>> => {
  // `Headers` would accept undefined, which a function without its `return` returns.
  must(isObject, 'an object of names and values')('headers', headers);
  let checked: Headers;
  try {
    checked = new Headers(headers as Record<string, string>);
  } catch {
    // The runtime's own message is dropped because it quotes the value.
    throw new ConfigurationError('`headers` contains an invalid HTTP header name or value.');
  }
  for (const [name, value] of Object.entries(headers)) {
    // `Headers` has turned both into texts.
    must((given) => given !== null, 'a string')(`headers.${name}`, value);
    if (value === undefined) {
      checked.delete(name);
    }
  }
  for (const name of CONNECTION_HEADERS) {
    if (checked.has(name)) {
      throw new ConfigurationError(`\`headers\` must not contain ${name}, because the runtime sets it.`);
    }
  }
  if (checked.has(reserved)) {
    throw new ConfigurationError(`\`headers\` must not contain ${reserved}. Pass the key as \`apiKey\`.`);
  }
  return Object.fromEntries(checked);
};
