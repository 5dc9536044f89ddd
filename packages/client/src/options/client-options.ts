import type { AttemptEvent, Hooks, Logger } from '../hooks/events.ts';
import type { RateLimit, SharedRateLimit } from '../rate-limit/window.ts';
import type { ApiKey } from '../secrecy/key.ts';
import type { Clock } from '../time/clock.ts';

/** Options for retrying failed attempts. */
export interface RetryOptions {
  /**
   * Maximum number of retries of a request. Two kinds of retries do not count: those after a 429 with `Retry-After`,
   * because the service says when it will accept requests, and the one with a new key after a 401.
   *
   * @default 3
   */
  limit?: number | undefined;
  /**
   * Longest `Retry-After` to wait out, in milliseconds. A longer one throws {@link RateLimitError} at once.
   *
   * @default 60_000
   */
  maxRetryAfter?: number | undefined;
  /**
   * Upper bound of the first random delay, in milliseconds. It doubles with each retry.
   *
   * @default 500
   */
  baseDelay?: number | undefined;
  /**
   * Upper bound of every random delay, in milliseconds.
   *
   * @default 8_000
   */
  maxDelay?: number | undefined;
  /**
   * Also retry a POST whose outcome is unknown. The service may then act twice.
   *
   * @default false
   */
  nonIdempotent?: boolean | undefined;
}

/** What to do with a response that breaks the contract: report it, throw, or skip the check. */
export type ValidationMode = 'warn' | 'strict' | 'off';

/** Options that a client sets for all its calls and a call may override. */
interface SharedOptions {
  /**
   * Milliseconds that one attempt may take, headers and body included. On the client, it applies to every operation,
   * `agents.invoke` included.
   *
   * @default 30_000, and 120_000 for `agents.invoke`
   */
  timeout?: number | undefined;
  /**
   * Milliseconds that the whole call may take, including time in the queue, waits and retries. `false` sets no limit.
   *
   * @default 120_000, and 300_000 for `agents.invoke`
   */
  totalTimeout?: number | false | undefined;
  /**
   * How failed attempts are retried. With `false`, nothing is retried, not even after a 429.
   *
   * @default { limit: 3, maxRetryAfter: 60_000, baseDelay: 500, maxDelay: 8_000, nonIdempotent: false }
   */
  retry?: RetryOptions | false | undefined;
  /**
   * What to do with a response that breaks the contract. `'warn'` reports it to `hooks.onDrift` and returns it;
   * `'strict'` throws {@link InvalidResponseError}; `'off'` skips the check. Unknown fields and unknown enum values
   * never break the contract.
   *
   * @default 'warn'
   */
  validation?: ValidationMode | undefined;
}

/**
 * Options of one call. They override those of the client.
 *
 * @example
 * ```ts
 * await confab.leads.get(id, { signal, totalTimeout: 5_000, retry: { limit: 1 } });
 * ```
 */
export interface CallOptions extends SharedOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Query parameters that the contract does not know. Parameters that it knows are refused here. */
  extraQuery?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /**
   * Fields of the body that the contract does not know. Fields that it knows are refused here. Without a body, every field
   * is refused.
   */
  extraBody?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Additional request headers. They replace the client's headers of the same names. A header that is undefined is left
   * out, so the client's header is sent.
   */
  headers?: HeaderValues | undefined;
}

/** Request headers by name. Headers that are undefined are left out: `{ 'x-tenant': tenant?.id }`. */
export type HeaderValues = Readonly<Record<string, string | undefined>>;

/** Sends a request: the `fetch` of the platform, of undici or of node-fetch, or a function of the same kind. */
export type Fetch = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body?: string;
    signal: AbortSignal;
    redirect: 'manual';
  },
) => Promise<{ readonly status: number; readonly headers: object; text(): Promise<string> }>;

/**
 * Names an application in the `user-agent` of its requests. Both fields are strings of letters, digits, `.`, `_`,
 * `+`, `~` and `-`.
 */
export interface AppInfo {
  /** Name of the application: `crm-sync`. */
  readonly name: string;
  /** Version of the application: `1.2.0`. */
  readonly version: string;
}

/**
 * Returns headers for one attempt, or a promise of them. It is called right before each attempt, while the request holds
 * its place in the queue.
 */
export type AttemptHeaders = (attempt: AttemptEvent) => HeaderValues | Promise<HeaderValues>;

/** The defaults of a client that `withOptions` can change. */
export interface ClientDefaults extends SharedOptions {
  /**
   * Additional request headers, or a function that returns them (or a promise of them) and is called for each attempt.
   * Headers that are undefined are left out. If the function fails or returns invalid headers, nothing is sent and the
   * call rejects with {@link ConfigurationError}.
   */
  headers?: HeaderValues | AttemptHeaders | undefined;
}

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
export interface ClientOptions extends ClientDefaults {
  /**
   * URL of the service, with a path prefix if it has one; `/api/v2/public` at its end makes no difference. It must use
   * `https`, or `http` on loopback.
   *
   * @default the environment variable CONFAB_BASE_URL
   */
  baseUrl?: string | URL | undefined;
  /**
   * The API key, or a function that returns it: 1 to 4,096 ASCII characters without spaces.
   *
   * @default the environment variable CONFAB_API_KEY
   */
  apiKey?: ApiKey | undefined;
  /**
   * Header that carries the key: `X-API-Key` or `Authorization: Bearer`.
   *
   * @default 'x-api-key'
   */
  auth?: 'x-api-key' | 'bearer' | undefined;
  /**
   * How fast to send requests. `'learn'` follows the `X-RateLimit-Limit` of the API's latest response, over a sliding
   * minute or, if a 429 proves that the window is shorter, over that window; a {@link RateLimit} sets a fixed rate; `redisRateLimit` from
   * `@confab/client/redis` shares one between processes; `false` sets none. A request counts from its start until one window
   * after its end. A 429 pauses all calls for the time in its `Retry-After`, or until the client retries the request.
   *
   * @default 'learn'
   */
  rateLimit?: 'learn' | RateLimit | SharedRateLimit | false | undefined;
  /**
   * Maximum number of requests in flight. Bulk work, such as an import, leaves one of them free.
   *
   * @default 10
   */
  concurrency?: number | undefined;
  /**
   * Maximum size of a response body in bytes, decompressed. The client stops reading a larger one and throws
   * {@link InvalidResponseError}; it does not retry the request.
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
   * Tells the time and waits. Tests replace it with a virtual clock.
   *
   * @default the system clock
   */
  clock?: Clock | undefined;
  /** Functions that are called as calls proceed. They never receive the API key. */
  hooks?: Hooks | undefined;
  /**
   * Names your application in the `user-agent` of each request, after the name and version of this package. Node, Bun
   * and Deno send it; browsers and Workers do not.
   */
  appInfo?: AppInfo | undefined;
  /**
   * Receives a line for each request, response and 429 (`debug`), each retry, pause and failed call (`info`), and each
   * contract violation (`warn`).
   *
   * @default on Node, Bun and Deno, standard error if the environment variable CONFAB_LOG is debug, info or warn
   */
  logger?: Logger | undefined;
  /**
   * Allow the client to run in a browser, where every visitor can read the API key.
   *
   * @default false
   */
  dangerouslyAllowBrowser?: boolean | undefined;
  /**
   * Allow a `baseUrl` with `http` beyond loopback. Anyone on the network path can then read the API key and all data, so
   * use it only for a mock in a network of your own, such as `http://mock:4010` between containers.
   *
   * @default false
   */
  dangerouslyAllowHttp?: boolean | undefined;
}
