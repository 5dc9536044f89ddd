import { createRedact } from '@confab/internal';
import type { Operation } from '../contract/operations.ts';
import { ConfigurationError } from '../errors/index.ts';
import { consoleLogger } from '../hooks/console-logger.ts';
import type { Reporter } from '../hooks/reporter.ts';
import { createReporter } from '../hooks/reporter.ts';
import type { StartTrace, Traceable } from '../hooks/tracing.ts';
import { TRACING } from '../hooks/tracing.ts';
import type { RateLimit, SharedRateLimit } from '../rate-limit/window.ts';
import { environment, wouldAsk } from '../runtime/runtime.ts';
import type { ApiKey, KeyHolder } from '../secrecy/key.ts';
import { holdKey } from '../secrecy/key.ts';
import type { Redact } from '../secrecy/redact.ts';
import type { Clock } from '../time/clock.ts';
import { systemClock } from '../time/clock.ts';
import { MAX_LOOKUP } from '../time/time-limit.ts';
import { parseBaseUrl } from './base-url.ts';
import type {
  CallOptions,
  ClientDefaults,
  ClientOptions,
  Fetch,
  RetryOptions,
  ValidationMode,
} from './client-options.ts';
import type { AskHeaders } from './headers.ts';
import { checkHeaders, createAskHeaders, userAgent } from './headers.ts';
import type { NamedOperation } from './option-checks.ts';
import {
  CALL_OPTIONS,
  CLIENT_DEFAULTS,
  CLIENT_OPTIONS,
  checkCallOptions,
  checkOptions,
  hintForCallOption,
} from './option-checks.ts';

/** Retry options with every default filled in. */
export type RetryPolicy = { readonly [Name in keyof RetryOptions]-?: Exclude<RetryOptions[Name], undefined> };

export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  limit: 3,
  maxRetryAfter: 60_000,
  baseDelay: 500,
  maxDelay: 8_000,
  nonIdempotent: false,
};

/** Applies retry options on top of a policy. */
const mergeRetryPolicy = (
  policy: RetryPolicy | false,
  options: RetryOptions | false | undefined,
): RetryPolicy | false => {
  if (options === undefined || options === false) {
    return options ?? policy;
  }
  const changes = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...(policy || DEFAULT_RETRY_POLICY), ...Object.fromEntries(changes) };
};

/** The options of a client that its calls may override. */
export interface CallDefaults {
  readonly timeout: number | undefined;
  readonly totalTimeout: number | false | undefined;
  readonly retry: RetryPolicy | false;
  readonly validation: ValidationMode;
  readonly headers: Readonly<Record<string, string>>;
  /** The header that carries the API key. */
  readonly keyHeader: string;
}

/** The options of a call with every default filled in. */
export interface CallSettings {
  readonly timeout: number;
  /** Infinity for none. */
  readonly totalTimeout: number;
  readonly retry: RetryPolicy | false;
  readonly validation: ValidationMode;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
}

/**
 * Checks the options of a call and fills in the defaults of its client and its operation.
 *
 * @throws A {@link ConfigurationError} when an option is unknown or invalid.
 *
 * @internal
 */
export const resolveCallOptions = (
  operation: NamedOperation & Pick<Operation, 'timeout' | 'totalTimeout'>,
  defaults: CallDefaults,
  options: CallOptions | undefined,
  redact: Redact,
): CallSettings => {
  if (options !== undefined) {
    checkCallOptions(operation, options, CALL_OPTIONS, redact);
  }
  const { timeout, totalTimeout, retry, validation, signal, headers } = options ?? {};
  return {
    timeout: timeout ?? defaults.timeout ?? operation.timeout,
    // `false` means no total timeout.
    totalTimeout:
      (totalTimeout ?? defaults.totalTimeout ?? operation.totalTimeout) || Number.POSITIVE_INFINITY,
    retry: retry === undefined ? defaults.retry : mergeRetryPolicy(defaults.retry, retry),
    validation: validation ?? defaults.validation,
    headers: headers
      ? { ...defaults.headers, ...checkHeaders(headers, defaults.keyHeader, redact) }
      : defaults.headers,
    signal,
  };
};

/** The checked options of a client. Only a closure holds the API key. */
export interface ClientSettings {
  readonly baseUrl: string;
  readonly key: KeyHolder;
  /** Text before the key in its header: `Bearer `, or nothing. */
  readonly keyPrefix: string;
  readonly rateLimit: 'learn' | RateLimit | SharedRateLimit | false;
  readonly concurrency: number;
  readonly clock: Clock;
  /** Undefined for `globalThis.fetch`. */
  readonly fetch: Fetch | undefined;
  readonly maxResponseBytes: number;
  /** Undefined unless `headers` is a function. */
  readonly askHeaders: AskHeaders | undefined;
  /** Milliseconds that the functions `apiKey` and `headers` may take before an attempt; 0 where neither is a function. */
  readonly maxLookupMs: number;
  /** Headers of every request. Headers of a call with the same names replace them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly reporter: Reporter;
  /** Undefined unless the options were instrumented. */
  readonly startTrace: StartTrace | undefined;
  /** Defaults for the options that a call leaves out. */
  readonly callDefaults: CallDefaults;
}

/** Reads the key of a client, and returns a function that redacts it. The key of an `apiKey` function is not known yet. */
export const readKey = (
  options: ClientOptions,
): { readonly apiKey: ApiKey | undefined; readonly redact: Redact } => {
  const apiKey = options?.apiKey ?? environment('CONFAB_API_KEY');
  return { apiKey, redact: createRedact(typeof apiKey === 'string' ? [apiKey] : []) };
};

/**
 * Checks the options of a client and fills in the defaults.
 *
 * @throws A {@link ConfigurationError} when an option is missing or invalid.
 */
export const resolveClientOptions = (options: ClientOptions): ClientSettings => {
  const { apiKey, redact } = readKey(options);
  checkOptions('createClient option', options, CLIENT_OPTIONS, redact, {
    example: '{ baseUrl, apiKey }',
    elsewhere: (name) =>
      name === 'clientOptions'
        ? 'Pass `mock.clientOptions` alone'
        : hintForCallOption(name, ['offset']) &&
          `\`${name}\` is an option of ${name === 'prefetch' ? 'lists' : 'each call'}`,
  });
  const {
    auth = 'x-api-key',
    rateLimit = 'learn',
    concurrency = 10,
    maxResponseBytes = 10 * 2 ** 20,
    clock = systemClock,
    fetch,
  } = options;
  if (fetch === undefined && typeof globalThis.fetch !== 'function') {
    throw new ConfigurationError('This runtime has no fetch. Pass `fetch` to createClient.');
  }

  const settings: ClientSettings = {
    baseUrl: parseBaseUrl(
      options.baseUrl ?? environment('CONFAB_BASE_URL'),
      redact,
      options.dangerouslyAllowHttp,
    ),
    key: holdKey(apiKey, clock),
    keyPrefix: auth === 'bearer' ? 'Bearer ' : '',
    rateLimit,
    concurrency,
    maxLookupMs: typeof apiKey === 'function' ? MAX_LOOKUP : 0,
    askHeaders: undefined,
    clock,
    fetch,
    maxResponseBytes,
    headers: { accept: 'application/json', ...userAgent(options.appInfo) },
    reporter: createReporter(
      options.hooks,
      options.logger ?? (wouldAsk('CONFAB_LOG') ? undefined : consoleLogger(environment('CONFAB_LOG'))),
    ),
    startTrace: (options as Traceable)[TRACING],
    callDefaults: {
      timeout: undefined,
      totalTimeout: undefined,
      retry: DEFAULT_RETRY_POLICY,
      validation: 'warn',
      headers: {},
      keyHeader: auth === 'bearer' ? 'authorization' : 'x-api-key',
    },
  };
  return changeDefaults(settings, options);
};

/** Replaces the defaults of a client for which there are options, and keeps the others. */
const changeDefaults = (settings: ClientSettings, options: ClientDefaults): ClientSettings => {
  const { key, clock, maxLookupMs, askHeaders, callDefaults } = settings;
  const { keyHeader } = callDefaults;
  const {
    timeout = callDefaults.timeout,
    totalTimeout = callDefaults.totalTimeout,
    validation = callDefaults.validation,
    headers = {},
  } = options;
  const retry = mergeRetryPolicy(callDefaults.retry, options.retry);
  const changed = { ...callDefaults, timeout, totalTimeout, validation, retry };
  if (typeof headers !== 'function') {
    const added = checkHeaders(headers, keyHeader, key.redact);
    return { ...settings, callDefaults: { ...changed, headers: { ...callDefaults.headers, ...added } } };
  }
  return {
    ...settings,
    maxLookupMs: maxLookupMs + (askHeaders === undefined ? MAX_LOOKUP : 0),
    askHeaders: createAskHeaders(headers, keyHeader, clock),
    // The headers that the function returns replace them.
    headers: { ...settings.headers, ...callDefaults.headers },
    callDefaults: { ...changed, headers: {} },
  };
};

/**
 * Checks the options of `withOptions`, and replaces the defaults of a client with them.
 *
 * @throws A {@link ConfigurationError} when an option is unknown or invalid, or cannot be changed.
 */
export const withDefaults = (settings: ClientSettings, options: ClientDefaults): ClientSettings => {
  const elsewhere = (name: string): string | undefined =>
    Object.hasOwn(CLIENT_OPTIONS, name)
      ? `\`${name}\` cannot be changed, because both clients share their key, base URL, rate limit and hooks: call createClient again`
      : hintForCallOption(name, []) && `\`${name}\` is an option of each call`;
  checkOptions('withOptions option', options, CLIENT_DEFAULTS, settings.key.redact, { elsewhere });
  return changeDefaults(settings, options);
};
