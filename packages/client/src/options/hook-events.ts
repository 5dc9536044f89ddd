import type { Issue, OperationName } from '../contract/types/index.ts';
import type { RateLimitInfo } from '../errors/index.ts';

/** An attempt of a call. */
export interface AttemptEvent {
  /** Id of the operation: `leads.create`. */
  readonly operation: OperationName;
  /** HTTP method. */
  readonly method: string;
  /** The whole URL, query included. */
  readonly url: string;
  /** Number of this attempt: 1 for the first. */
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

/** A response that breaks the contract. */
export interface DriftEvent {
  /** Id of the operation: `leads.create`. */
  readonly operation: OperationName;
  /** Where the response breaks the contract, at most 100 places. */
  readonly issues: readonly Issue[];
}
