/** What an attempt came to, as far as a repeat depends on it. */
export type AttemptResult =
  | {
      readonly kind: 'connection' | 'timeout';
      /** True when a repeat would only end in the same way. */
      readonly final?: boolean;
    }
  | { readonly kind: 'response'; readonly status: number; readonly retryAfterMs: number | undefined };

export interface RetryPolicy {
  readonly limit: number;
  readonly maxRetryAfter: number;
  readonly baseDelay: number;
  readonly maxDelay: number;
  readonly nonIdempotent: boolean;
}

export interface RetryState {
  /** True when a repeat does no harm. */
  readonly idempotent: boolean;
  /** Repeats so far that count against `limit`. */
  readonly repeats: number;
  /** 429s so far. */
  readonly rateLimited: number;
  /** Milliseconds until the deadline; Infinity for none. */
  readonly remaining: number;
  /** 0 up to but not including 1. */
  readonly random: () => number;
}

export type RetryDecision =
  | { readonly again: false }
  | {
      readonly again: true;
      /** Milliseconds to wait first. */
      readonly delayMs: number;
      /** Whether it uses up one of the `limit` repeats. */
      readonly counts: boolean;
    };

export const defaultRetryPolicy: RetryPolicy = {
  limit: 3,
  maxRetryAfter: 60_000,
  baseDelay: 500,
  maxDelay: 8_000,
  nonIdempotent: false,
};

/** Statuses after which the same request may well succeed. */
const TRANSIENT = new Set([408, 500, 502, 503, 504]);

const NO: RetryDecision = { again: false };

/** Full jitter: anything from 0 to a bound that doubles, so that clients that failed together do not return together. */
const backoff = (policy: RetryPolicy, earlier: number, random: () => number): number =>
  Math.floor(random() * Math.min(policy.maxDelay, policy.baseDelay * 2 ** earlier));

/**
 * Decides whether a request is sent again, and when. Pure: the same input gives the same decision.
 *
 * | Outcome | Harmless to repeat | POST |
 * |---|---|---|
 * | 429 | wait `Retry-After`, else back off | the same |
 * | 408, 500, 502, 503, 504 | wait `Retry-After`, else back off | only if `nonIdempotent` |
 * | failed connection, timed-out attempt | back off | only if `nonIdempotent` |
 * | an answer larger than allowed, a request that a test did not foresee | not | not |
 * | anything else | not | not |
 *
 * A `Retry-After` is waited out in full or not at all.
 */
export const decideRetry = (
  result: AttemptResult,
  policy: RetryPolicy | false,
  state: RetryState,
): RetryDecision => {
  if (policy === false) {
    return NO;
  }
  const refused = result.kind === 'response' && result.status === 429;
  if (!refused) {
    if (result.kind === 'response' ? !TRANSIENT.has(result.status) : result.final) {
      return NO;
    }
    // Nobody knows whether the service has acted.
    if (!state.idempotent && !policy.nonIdempotent) {
      return NO;
    }
    if (state.repeats >= policy.limit) {
      return NO;
    }
  }
  const asked = result.kind === 'response' ? result.retryAfterMs : undefined;
  if (asked !== undefined && asked > policy.maxRetryAfter) {
    return NO;
  }
  // `Retry-After: 0` over and over would have us send without a pause.
  const delayMs = asked || backoff(policy, refused ? state.rateLimited : state.repeats, state.random);
  if (delayMs >= state.remaining) {
    return NO;
  }
  return { again: true, delayMs, counts: !refused };
};
