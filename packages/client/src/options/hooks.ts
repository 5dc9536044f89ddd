import type {
  AttemptEvent,
  CallEndEvent,
  CallStartEvent,
  DriftEvent,
  PauseEvent,
  RateLimitEvent,
  ResponseEvent,
  RetryEvent,
} from './hook-events.ts';

/**
 * Functions that are called as a call proceeds. Their events are plain objects without the request, so they cannot leak
 * the API key. Return values and exceptions are ignored.
 *
 * @example
 * ```ts
 * createClient({ hooks: { onRetry: ({ operation, reason }) => metrics.count('retry', { operation, reason }) } });
 * ```
 */
export interface Hooks {
  /** Called when a call starts, before its input is checked. Each request for a page is a call; `leads.ensure` is one. */
  onCallStart?: ((event: CallStartEvent) => void) | undefined;
  /** Called when a call ends, exactly once for each call, however it ends. */
  onCallEnd?: ((event: CallEndEvent) => void) | undefined;
  /** Called before each attempt is sent. */
  onRequest?: ((event: AttemptEvent) => void) | undefined;
  /** Called after each response, whatever its status. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Called before the client waits to send a request again. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Called after each 429. */
  onRateLimit?: ((event: RateLimitEvent) => void) | undefined;
  /** Called when a 429 pauses the client: once for each pause, however many requests were refused. */
  onPause?: ((event: PauseEvent) => void) | undefined;
  /** Called when a response breaks the contract. */
  onDrift?: ((event: DriftEvent) => void) | undefined;
}

/** Writes log lines. `console` works as it is, and so does any logger that accepts a message and an object. */
export interface Logger {
  /** Called for each request, response and 429. */
  debug?: ((message: string, event: object) => void) | undefined;
  /**
   * Called for each retry, each pause, each rate limit that is learned and each call that failed. The line about a failed call has the name and code of its
   * error but not its message, which may quote personal data.
   */
  info?: ((message: string, event: object) => void) | undefined;
  /** Called for each response that breaks the contract, and when a shared rate limit loses its store. */
  warn?: ((message: string, event: object) => void) | undefined;
}
