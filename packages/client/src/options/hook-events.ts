import type { Issue, OperationName } from '../contract/types.ts';
import type { RateLimitInfo } from '../errors/index.ts';

/** The start of a call. */
export interface CallStartEvent {
  /** Number of the call, the same in all its events. No other call of this process has it. */
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
  /** Milliseconds of these in the client's queue: for a place, for the rate limit and for the end of a 429's pause. */
  readonly queuedMs: number;
  /** Milliseconds of these between a failed attempt and its repeat, apart from the time in the queue. */
  readonly waitedMs: number;
  /** What the call rejects with; undefined on success. */
  readonly error: unknown;
}

/** An attempt of a call. */
export interface AttemptEvent {
  /** Number of the call, the same in all its events. No other call of this process has it. */
  readonly callId: number;
  /** Id of the operation: `leads.create`. */
  readonly operation: OperationName;
  /** HTTP method. */
  readonly method: string;
  /** The whole URL, query included. */
  readonly url: string;
  /** Number of this attempt: 1 for the first, also of the second request of a `leads.ensure`. */
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

/** A failed attempt that will be repeated. */
export interface RetryEvent extends AttemptEvent {
  /** Why the attempt failed: a 429, another status, no connection, or `timeout`. */
  readonly reason: 'rate-limit' | 'status' | 'connection' | 'timeout';
  /** HTTP status; undefined when there was no response. */
  readonly status: number | undefined;
  /** Milliseconds until the request is sent again, at the earliest. */
  readonly delayMs: number;
}

/** A 429 response. */
export interface RateLimitEvent extends AttemptEvent, RateLimitInfo {}

/** The start of a pause: the client sends nothing until it ends. */
export interface PauseEvent {
  /** When the pause ends, in milliseconds since 1970. Another 429 may postpone the end, without another event. */
  readonly pausedUntil: number;
  /** Milliseconds until then. */
  readonly durationMs: number;
  /** Number of calls that wait for a place, for the pace or for the end of the pause. */
  readonly queued: number;
}

/** A response that breaks the contract. */
export interface DriftEvent {
  /** Id of the operation: `leads.create`. */
  readonly operation: OperationName;
  /** Where the response breaks the contract, at most 100 places. */
  readonly issues: readonly Issue[];
}
