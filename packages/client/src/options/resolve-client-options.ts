import { operations } from '../contract/index.ts';
import type { OperationSettings } from '../contract/types/index.ts';
import { ConfigurationError } from '../errors/index.ts';
import type { RetryPolicy } from '../retry/decide-retry.ts';
import { defaultRetryPolicy } from '../retry/decide-retry.ts';
import type { Clock } from '../time/clock.ts';
import { systemClock } from '../time/clock.ts';
import type { KeyHolder } from './api-key.ts';
import { holdKey } from './api-key.ts';
import { parseBaseUrl } from './base-url.ts';
import { checkNames } from './check-names.ts';
import { atLeast, oneOf, show } from './check-values.ts';
import type { Reporter } from './hooks.ts';
import { createReporter } from './hooks.ts';
import { CALL_OPTIONS, HOOKS, RATE_FIELDS, RETRY_FIELDS } from './option-names.ts';
import type { CallOptions, ClientOptions, Fetch, Rate, ValidationMode } from './options.ts';

/** Options of a call with every default in place. */
export interface CallSettings {
  readonly timeout: number;
  /** Infinity for none. */
  readonly deadline: number;
  readonly retry: RetryPolicy | false;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
}

/** Checked options of a client. The key is in a closure, and nowhere else. */
export interface Config {
  readonly baseUrl: string;
  readonly key: KeyHolder;
  /** The header that carries a key. */
  readonly authorize: (key: string) => Readonly<Record<string, string>>;
  readonly rateLimit: 'learn' | Rate | false;
  readonly concurrency: number;
  readonly clock: Clock;
  readonly fetch: Fetch | undefined;
  readonly maxResponseBytes: number;
  readonly report: Reporter;
  /** For calls that do not choose for themselves. */
  readonly validation: ValidationMode;
  /** @throws {@link ConfigurationError} when an option makes no sense. */
  readonly settle: (operation: OperationSettings, options: CallOptions) => CallSettings;
}

const VALIDATION_MODES: readonly ValidationMode[] = ['warn', 'strict', 'off'];

/** Read late and with care: there may be no process, and Deno may refuse to show its environment. */
const environment = (name: string): string | undefined => {
  try {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
    return process?.env?.[name];
  } catch {
    return undefined;
  }
};

const checkHeaders = (
  headers: Readonly<Record<string, string>>,
  reserved: string,
): Record<string, string> => {
  let checked: Headers;
  try {
    checked = new Headers(headers);
  } catch {
    // Not the runtime's own message: it quotes the value.
    throw new ConfigurationError('`headers` holds a name or value that is not allowed in an HTTP header.');
  }
  if (checked.has(reserved)) {
    throw new ConfigurationError(`\`headers\` must not hold ${reserved}: pass the key as \`apiKey\`.`);
  }
  return Object.fromEntries(checked);
};

const mergeRetry = (outer: RetryPolicy | false, own: ClientOptions['retry']): RetryPolicy | false => {
  if (own === undefined) {
    return outer;
  }
  if (own === false) {
    return false;
  }
  if (typeof own !== 'object' || own === null) {
    throw new ConfigurationError(`\`retry\` must be an object or false, not ${show(own)}.`);
  }
  checkNames('field of retry', own, RETRY_FIELDS);
  const given = Object.entries(own).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    if (name === 'nonIdempotent') {
      oneOf([true, false], 'retry.nonIdempotent', value);
    } else {
      atLeast(0, `retry.${name}`, value, name === 'limit');
    }
  }
  return { ...(outer || defaultRetryPolicy), ...Object.fromEntries(given) };
};

/** Checks the options of a client and fills in the defaults. */
export const createConfig = (options: ClientOptions): Config => {
  const {
    auth = 'x-api-key',
    rateLimit = 'learn',
    concurrency = 10,
    maxResponseBytes = 10 * 2 ** 20,
    validation = 'warn',
  } = options;
  oneOf(['x-api-key', 'bearer'], 'auth', auth);
  atLeast(1, 'concurrency', concurrency, true);
  atLeast(1, 'maxResponseBytes', maxResponseBytes, true);
  if (typeof rateLimit === 'object' && rateLimit !== null) {
    checkNames('field of rateLimit', rateLimit, RATE_FIELDS);
    atLeast(1, 'rateLimit.requests', rateLimit.requests, true);
    atLeast(1, 'rateLimit.perMs', rateLimit.perMs);
  } else {
    oneOf(['learn', false], 'rateLimit', rateLimit);
  }
  if (options.fetch === undefined && typeof globalThis.fetch !== 'function') {
    throw new ConfigurationError('No fetch in this runtime. Pass `fetch` to createClient.');
  }
  if (options.fetch !== undefined && typeof options.fetch !== 'function') {
    throw new ConfigurationError(`\`fetch\` must be a function, not ${show(options.fetch)}.`);
  }

  if (options.hooks !== undefined) {
    // An object with hooks may hold what they work on as well.
    const others = Object.keys(options.hooks ?? {}).filter((name) => !/^on/i.test(name));
    checkNames('field of hooks', options.hooks, [...HOOKS, ...others]);
  }

  const header = auth === 'bearer' ? 'authorization' : 'x-api-key';
  const retry = mergeRetry(defaultRetryPolicy, options.retry);
  const headers = checkHeaders(options.headers ?? {}, header);

  const settle: Config['settle'] = (operation, call) => {
    checkNames(`option of ${operation.id}`, call, CALL_OPTIONS);
    const timeout = call.timeout ?? options.timeout ?? operation.timeout;
    const deadline = call.deadline ?? options.deadline ?? operation.deadline;
    atLeast(1, 'timeout', timeout);
    if (deadline !== false) {
      atLeast(1, 'deadline', deadline);
    }
    oneOf(VALIDATION_MODES, 'validation', call.validation ?? validation);
    return {
      timeout,
      deadline: deadline === false ? Number.POSITIVE_INFINITY : deadline,
      retry: mergeRetry(retry, call.retry),
      headers: call.headers === undefined ? headers : { ...headers, ...checkHeaders(call.headers, header) },
      signal: call.signal,
    };
  };

  // Each call settles its own; done once here, so that a wrong option shows when the client is made.
  settle(operations['agents.list'], {});

  return {
    baseUrl: parseBaseUrl(options.baseUrl ?? environment('CONFAB_BASE_URL')),
    key: holdKey(options.apiKey ?? environment('CONFAB_API_KEY')),
    authorize: (key) => ({ [header]: auth === 'bearer' ? `Bearer ${key}` : key }),
    rateLimit,
    concurrency,
    clock: options.clock ?? systemClock,
    fetch: options.fetch,
    maxResponseBytes,
    report: createReporter(options.hooks, options.logger),
    validation,
    settle,
  };
};
