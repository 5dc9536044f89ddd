import type { Clock } from '../time/clock.ts';
import type { Hooks, Logger } from './hooks.ts';

/** How failed attempts are repeated. */
export interface RetryOptions {
  /**
   * Most repeats after a failed connection, a timed-out attempt, or 408, 500, 502, 503 or 504. Waiting out a
   * 429 does not count: the service refused before acting.
   *
   * @default 3
   */
  limit?: number | undefined;
  /**
   * Longest `Retry-After` to sit out, in milliseconds. A longer one throws at once.
   *
   * @default 60_000
   */
  maxRetryAfter?: number | undefined;
  /**
   * Upper bound of the first random delay, in milliseconds; it doubles with each repeat.
   *
   * @default 500
   */
  baseDelay?: number | undefined;
  /**
   * Upper bound of any random delay, in milliseconds.
   *
   * @default 8_000
   */
  maxDelay?: number | undefined;
  /**
   * Also repeat a POST whose outcome is unknown. It may then be carried out twice.
   *
   * @default false
   */
  nonIdempotent?: boolean | undefined;
}

/** A rate of requests: at most `requests` in any `perMs` milliseconds. */
export interface Rate {
  requests: number;
  /** Milliseconds. */
  perMs: number;
}

/** What to do with a response that breaks the contract: report it, refuse it, or do not look. */
export type ValidationMode = 'warn' | 'strict' | 'off';

/** Options that a client sets for all its calls and a call can set for itself. */
interface SharedOptions {
  /**
   * Milliseconds for one attempt, headers and body.
   *
   * @default 30_000, and 120_000 for `agents.invoke`
   */
  timeout?: number | undefined;
  /**
   * Milliseconds for the whole call: queueing, waits and retries included. `false` is no bound.
   *
   * @default 120_000, and 300_000 for `agents.invoke`
   */
  deadline?: number | false | undefined;
  /**
   * How failed attempts are repeated. `false` repeats nothing, a 429 included.
   *
   * @default { limit: 3, maxRetryAfter: 60_000, baseDelay: 500, maxDelay: 8_000, nonIdempotent: false }
   */
  retry?: RetryOptions | false | undefined;
  /**
   * What to do with a response that breaks the contract. `warn` reports it to `hooks.onDrift` and returns it.
   * Unknown fields and unknown enum values never break it.
   *
   * @default 'warn'
   */
  validation?: ValidationMode | undefined;
  /** Headers to send besides ours. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Options of one call, on top of those of its client.
 *
 * @example
 * ```ts
 * await confab.leads.get(id, { signal, deadline: 5_000, retry: { limit: 1 } });
 * ```
 */
export interface CallOptions extends SharedOptions {
  /** Aborts the call: it rejects with the signal's own reason. */
  signal?: AbortSignal | undefined;
}

/** Sends a request: the platform's `fetch`, or one that stands in for it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The API key, or a function that gets it. It is asked again for each attempt, so a key can change. */
export type ApiKey = string | (() => string | Promise<string>);

/**
 * Options of {@link createClient}.
 *
 * @example
 * ```ts
 * const confab = createClient({
 *   baseUrl: 'https://api.example.com',
 *   apiKey: () => readSecret('confab'),
 *   concurrency: 4,
 *   hooks: { onRetry: ({ operation, reason }) => metrics.count('retry', { operation, reason }) },
 * });
 * ```
 */
export interface ClientOptions extends SharedOptions {
  /**
   * Origin of the service, with a path prefix if it has one. `https`, or `http` on loopback.
   *
   * @default the environment variable CONFAB_BASE_URL
   */
  baseUrl?: string | URL | undefined;
  /**
   * The API key, or a function that gets it.
   *
   * @default the environment variable CONFAB_API_KEY
   */
  apiKey?: ApiKey | undefined;
  /**
   * Which header carries the key: `X-API-Key`, or `Authorization: Bearer`.
   *
   * @default 'x-api-key'
   */
  auth?: 'x-api-key' | 'bearer' | undefined;
  /**
   * The pace of requests. `learn` takes it from the `X-RateLimit-Limit` of the API's latest
   * response, over a sliding minute. A
   * {@link Rate} fixes it. `false` sets none. A request counts from its start to one span after its end. After a 429
   * all calls pause in any case.
   *
   * @default 'learn'
   */
  rateLimit?: 'learn' | Rate | false | undefined;
  /**
   * Most requests in flight.
   *
   * @default 10
   */
  concurrency?: number | undefined;
  /**
   * Most bytes of a response body, decompressed. A larger one is not read to its end: the call throws
   * {@link InvalidResponseError}, and is not repeated.
   *
   * @default 10_485_760 (10 MiB)
   */
  maxResponseBytes?: number | undefined;
  /**
   * Sends the requests. Required where the runtime has no `fetch`, as in jsdom.
   *
   * @default globalThis.fetch
   */
  fetch?: Fetch | undefined;
  /**
   * The time, and every wait.
   *
   * @default the system's
   */
  clock?: Clock | undefined;
  /** Functions told what happens. None is given the key; one that throws breaks nothing. */
  hooks?: Hooks | undefined;
  /** Gets a line for each request (`debug`), retry and wait (`info`) and drift (`warn`): `console` will do. */
  logger?: Logger | undefined;
  /**
   * Run in a browser, where every visitor can read the key.
   *
   * @default false
   */
  dangerouslyAllowBrowser?: boolean | undefined;
}
