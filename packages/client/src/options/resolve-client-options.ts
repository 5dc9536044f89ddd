import { operations } from '../contract/index.ts';
import { ConfigurationError } from '../errors/index.ts';
import type { Clock } from '../time/clock.ts';
import { systemClock } from '../time/clock.ts';
import type { KeyHolder } from './api-key.ts';
import { holdKey } from './api-key.ts';
import { parseBaseUrl } from './base-url.ts';
import { checkHeaders } from './check-headers.ts';
import { checkNames } from './check-names.ts';
import { atLeast, oneOf, show } from './check-values.ts';
import type { ClientOptions, Fetch, RateLimit } from './client-options.ts';
import type { Reporter } from './create-reporter.ts';
import { createReporter } from './create-reporter.ts';
import { environment } from './environment.ts';
import type { Hooks } from './hooks.ts';
import { HOOKS, RATE_LIMIT_FIELDS } from './option-names.ts';
import type { SharedRateLimit } from './rate-window.ts';
import type { CallDefaults } from './resolve-call-options.ts';
import { resolveCallOptions } from './resolve-call-options.ts';
import { DEFAULT_RETRY_POLICY, mergeRetryPolicy } from './retry-policy.ts';

/** The checked options of a client. Only a closure holds the API key. */
export interface ResolvedClientOptions {
  readonly baseUrl: string;
  readonly key: KeyHolder;
  /** Returns the header that carries a key. */
  readonly authorize: (key: string) => Readonly<Record<string, string>>;
  readonly rateLimit: 'learn' | RateLimit | SharedRateLimit | false;
  readonly concurrency: number;
  readonly clock: Clock;
  /** Undefined for `globalThis.fetch`. */
  readonly fetch: Fetch | undefined;
  readonly maxResponseBytes: number;
  readonly report: Reporter;
  /** What `resolveCallOptions` fills in for options that a call leaves out. */
  readonly callDefaults: CallDefaults;
}

const checkRateLimit = (rateLimit: unknown): void => {
  if (typeof rateLimit !== 'object' || rateLimit === null) {
    oneOf(['learn', false], 'rateLimit', rateLimit);
    return;
  }
  if (typeof (rateLimit as Partial<SharedRateLimit>).open === 'function') {
    return;
  }
  checkNames('field of rateLimit', rateLimit, RATE_LIMIT_FIELDS);
  const { requests, perMs } = rateLimit as RateLimit;
  atLeast(1, 'rateLimit.requests', requests, true);
  atLeast(1, 'rateLimit.perMs', perMs);
};

const checkFetch = (fetch: unknown): void => {
  if (fetch === undefined && typeof globalThis.fetch !== 'function') {
    throw new ConfigurationError('This runtime has no fetch. Pass `fetch` to createClient.');
  }
  if (fetch !== undefined && typeof fetch !== 'function') {
    throw new ConfigurationError(`\`fetch\` must be a function, not ${show(fetch)}.`);
  }
};

const checkHooks = (hooks: Hooks | undefined): void => {
  if (hooks !== undefined) {
    // An object of hooks may have other properties, which its methods use.
    const others = Object.keys(hooks ?? {}).filter((name) => !/^on/i.test(name));
    checkNames('field of hooks', hooks, [...HOOKS, ...others]);
  }
};

/**
 * Checks the options of a client and fills in the defaults.
 *
 * @throws {@link ConfigurationError} When an option is missing or invalid.
 */
export const resolveClientOptions = (options: ClientOptions): ResolvedClientOptions => {
  const {
    auth = 'x-api-key',
    rateLimit = 'learn',
    concurrency = 10,
    maxResponseBytes = 10 * 2 ** 20,
    validation = 'warn',
    timeout,
    deadline,
    fetch,
  } = options;
  oneOf(['x-api-key', 'bearer'], 'auth', auth);
  atLeast(1, 'concurrency', concurrency, true);
  atLeast(1, 'maxResponseBytes', maxResponseBytes, true);
  checkRateLimit(rateLimit);
  checkFetch(fetch);
  checkHooks(options.hooks);

  const keyHeader = auth === 'bearer' ? 'authorization' : 'x-api-key';
  const callDefaults: CallDefaults = {
    timeout,
    deadline,
    validation,
    keyHeader,
    retry: mergeRetryPolicy(DEFAULT_RETRY_POLICY, options.retry),
    headers: checkHeaders(options.headers ?? {}, keyHeader),
  };
  // Every call resolves its own options; this reports an invalid one as soon as the client is created.
  resolveCallOptions(operations['agents.list'], callDefaults, {});

  return {
    baseUrl: parseBaseUrl(options.baseUrl ?? environment('CONFAB_BASE_URL')),
    key: holdKey(options.apiKey ?? environment('CONFAB_API_KEY')),
    authorize: (key) => ({ [keyHeader]: auth === 'bearer' ? `Bearer ${key}` : key }),
    rateLimit,
    concurrency,
    clock: options.clock ?? systemClock,
    fetch,
    maxResponseBytes,
    report: createReporter(options.hooks, options.logger),
    callDefaults,
  };
};
