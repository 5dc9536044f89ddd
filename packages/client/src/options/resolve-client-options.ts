import { createRedact } from '@confab/internal';
import { ConfigurationError } from '../errors/index.ts';
import { withoutKey } from '../errors/redaction.ts';
import { consoleLogger } from '../runtime/node.ts';
import type { Clock } from '../time/clock.ts';
import { systemClock } from '../time/clock.ts';
import { LONGEST_LOOKUP } from '../time/within.ts';
import type { KeyHolder } from './api-key.ts';
import { holdKey } from './api-key.ts';
import type { AskHeaders } from './ask-headers.ts';
import { createAskHeaders } from './ask-headers.ts';
import { parseBaseUrl } from './base-url.ts';
import { checkHeaders } from './check-headers.ts';
import { checkOptions } from './check-values.ts';
import type { AppInfo, ClientOptions, Fetch, RateLimit } from './client-options.ts';
import type { Reporter } from './create-reporter.ts';
import { createReporter } from './create-reporter.ts';
import { environment } from './environment.ts';
import { CLIENT_OPTIONS } from './option-checks.ts';
import type { SharedRateLimit } from './rate-window.ts';
import type { CallDefaults } from './resolve-call-options.ts';
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
  /** Undefined unless `headers` is a function. */
  readonly askHeaders: AskHeaders | undefined;
  /** Milliseconds that the functions `apiKey` and `headers` may take before an attempt; 0 where neither is a function. */
  readonly longestLookup: number;
  readonly report: Reporter;
  readonly appInfo: AppInfo | undefined;
  /** What `resolveCallOptions` fills in for options that a call leaves out. */
  readonly callDefaults: CallDefaults;
}

/**
 * Checks the options of a client and fills in the defaults.
 *
 * @throws {@link ConfigurationError} When an option is missing or invalid.
 */
export const resolveClientOptions = (options: ClientOptions): ResolvedClientOptions => {
  const apiKey = options?.apiKey ?? environment('CONFAB_API_KEY');
  const redact = createRedact(typeof apiKey === 'string' ? [apiKey] : []);
  withoutKey(redact, () => checkOptions('option of createClient', options, CLIENT_OPTIONS));
  const {
    auth = 'x-api-key',
    rateLimit = 'learn',
    concurrency = 10,
    maxResponseBytes = 10 * 2 ** 20,
    validation = 'warn',
    timeout,
    totalTimeout,
    fetch,
  } = options;
  if (fetch === undefined && typeof globalThis.fetch !== 'function') {
    throw new ConfigurationError('This runtime has no fetch. Pass `fetch` to createClient.');
  }

  const { headers = {}, clock = systemClock } = options;
  const asks = typeof headers === 'function';
  const keyHeader = auth === 'bearer' ? 'authorization' : 'x-api-key';
  const callDefaults: CallDefaults = {
    timeout,
    totalTimeout,
    validation,
    keyHeader,
    retry: mergeRetryPolicy(DEFAULT_RETRY_POLICY, options.retry),
    headers: asks ? {} : checkHeaders(headers, keyHeader),
  };

  return {
    baseUrl: parseBaseUrl(options.baseUrl ?? environment('CONFAB_BASE_URL'), options.dangerouslyAllowHttp),
    key: holdKey(apiKey, clock),
    authorize: (key) => ({ [keyHeader]: auth === 'bearer' ? `Bearer ${key}` : key }),
    rateLimit,
    concurrency,
    longestLookup: (typeof apiKey === 'function' ? LONGEST_LOOKUP : 0) + (asks ? LONGEST_LOOKUP : 0),
    askHeaders: asks ? createAskHeaders(headers, keyHeader, clock) : undefined,
    clock,
    fetch,
    maxResponseBytes,
    report: createReporter(options.hooks, options.logger ?? consoleLogger(environment('CONFAB_LOG'))),
    appInfo: options.appInfo,
    callDefaults,
  };
};
