import type { Issue, OperationName } from '../contract/types.ts';
import type { RateLimitInfo } from '../errors/index.ts';

/** The start of a call. */
export interface CallStartEvent {
  /** Number of the call, the same in all its events and unique in this process. */
  readonly callId: number;
  /** Id of the operation: `leads.create`. All requests of `leads.ensure` are one call of that name. */
  readonly operation: OperationName | 'leads.ensure';
}

/** The end of a call. */
export interface CallEndEvent extends CallStartEvent {
  /** `aborted` when the call's own signal ended it. */
  readonly outcome: 'success' | 'error' | 'aborted';
  /** Number of requests sent: 0 when the input was invalid or the call never left the queue. */
  readonly attempts: number;
  /** Milliseconds from the start of the call to its end. */
  readonly durationMs: number;
  /**
   * Milliseconds that the call spent in the client's queue: for a free slot, for the rate limit and for the end of a 429's
   * pause.
   */
  readonly queuedMs: number;
  /** Milliseconds that the call waited between failed attempts and their retries, without the time in the queue. */
  readonly waitedMs: number;
  /** The error that the call rejects with; undefined on success. */
  readonly error: unknown;
}

/** An attempt of a call. */
export interface AttemptEvent {
  /** Number of the call, the same in all its events and unique in this process. */
  readonly callId: number;
  /** Id of the operation: `leads.create`. */
  readonly operation: OperationName;
  /** The method of the request, in capitals: `GET`. */
  readonly method: string;
  /** The whole URL, query included. */
  readonly url: string;
  /** Number of this attempt: 1 for the first attempt. Each request of a `leads.ensure` starts at 1. */
  readonly attempt: number;
}

/** A response of any status. */
export interface ResponseEvent extends AttemptEvent {
  /** HTTP status. */
  readonly status: number;
  /** Response headers: names in lower case, without cookies. */
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds from sending the request to the last byte of the body. */
  readonly durationMs: number;
}

/** A failed attempt that will be retried. */
export interface RetryEvent extends AttemptEvent {
  /**
   * Why the attempt failed: `rate-limit` for a 429, `status` for any other status, `connection` for a connection that
   * failed or was lost, `timeout` for an attempt that took too long.
   */
  readonly reason: 'rate-limit' | 'status' | 'connection' | 'timeout';
  /** HTTP status; undefined when there was no response. */
  readonly status: number | undefined;
  /** Minimum number of milliseconds until the retry. */
  readonly delayMs: number;
}

/** A 429 response. */
export interface RateLimitEvent extends AttemptEvent, RateLimitInfo {}

/** The start of a pause: the client sends nothing until it ends. */
export interface PauseEvent {
  /** When the pause ends, in milliseconds since 1970. Another 429 may postpone the end, without another event. */
  readonly pausedUntil: number;
  /** How long the pause lasts from now on, in milliseconds. */
  readonly durationMs: number;
  /** Number of calls that wait for a free slot, the rate limit or the end of the pause. */
  readonly queued: number;
}

/** A response that breaks the contract. */
export interface DriftEvent {
  /** Id of the operation: `leads.create`. */
  readonly operation: OperationName;
  /** Where the response breaks the contract, at most 100 places. */
  readonly issues: readonly Issue[];
}

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
  /** Called before the client waits for a retry. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Called after each 429. */
  onRateLimit?: ((event: RateLimitEvent) => void) | undefined;
  /** Called when a 429 pauses the client: once for each pause, however many requests were refused. */
  onPause?: ((event: PauseEvent) => void) | undefined;
  /** Called when a response breaks the contract. */
  onDrift?: ((event: DriftEvent) => void) | undefined;
}

/** Writes log lines: `console`, or any other logger that accepts a message and an object. */
export interface Logger {
  /** Called for each request, response and 429. */
  debug?: ((message: string, event: object) => void) | undefined;
  /**
   * Called for each retry, each pause, each rate limit that is learned and each call that failed. The line about a failed
   * call has the name and code of its error but not its message, which may quote personal data.
   */
  info?: ((message: string, event: object) => void) | undefined;
  /**
   * Called for each response that breaks the contract, when a shared rate limit loses its store, and for each
   * `leads.list` with a `status` that the contract does not know.
   */
  warn?: ((message: string, event: object) => void) | undefined;
}
