import type { RetryEvent } from '../hooks/events.ts';
import type { RetryPolicy } from '../options/resolve-options.ts';
import { MAX_PAUSE } from '../rate-limit/window.ts';
import type { Outcome, ReceivedOutcome } from './outcome.ts';

/** The state that a retry decision depends on, in addition to the outcome and the policy. */
export interface RetryState {
  /** Whether a retry of the operation is harmless. */
  readonly idempotent: boolean;
  /** Retries so far that count toward `limit`. */
  readonly retries: number;
  /** Attempts so far, at least 1. */
  readonly attempts: number;
  /** Milliseconds until the total timeout; Infinity for none. */
  readonly remainingMs: number;
  /** Whether retries after 429s without `Retry-After` do not count toward `limit` yet, as in bulk work. */
  readonly hasFreeRetries: boolean;
  /** Whether the `apiKey` function may return a different key after a 401. */
  readonly mayRenewKey: boolean;
  /** Returns a number from 0 up to but not including 1. */
  readonly random: () => number;
}

export type RetryDecision =
  | { readonly again: false }
  | {
      readonly again: true;
      /** Milliseconds to wait first. */
      readonly delayMs: number;
      /** Whether the retry counts toward `limit`. */
      readonly countsAsRetry: boolean;
      /** Whether the retry makes sense only with a different key. */
      readonly needsNewKey: boolean;
    };

/** Statuses of failures that are often temporary. Those above 511 are Cloudflare's, about the server behind it. */
const TRANSIENT = new Set([408, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524]);

const STOP: RetryDecision = { again: false };

/** Returns true when the same request may succeed later. */
const isTransient = (outcome: Outcome): boolean => {
  switch (outcome.kind) {
    case 'response':
      return TRANSIENT.has(outcome.status);
    case 'lost':
      return !outcome.final;
    case 'unsent':
      return !outcome.failure.final;
    default:
      return outcome.kind === 'attempt-timeout' || outcome.kind === 'broken';
  }
};

/** Returns why a request is retried, for the event `onRetry`. */
export const explainRetry = (outcome: Outcome): Pick<RetryEvent, 'reason' | 'status'> =>
  outcome.kind === 'response'
    ? { reason: outcome.status === 429 ? 'rate-limit' : 'status', status: outcome.status }
    : { reason: outcome.kind === 'attempt-timeout' ? 'timeout' : 'connection', status: undefined };

/**
 * Full jitter: a random delay below a bound that doubles, so that clients that failed together return at different times.
 */
const drawBackoff = (policy: RetryPolicy, earlierRetries: number, random: () => number): number =>
  Math.floor(random() * Math.min(policy.maxDelay, policy.baseDelay * 2 ** earlierRetries));

/**
 * Decides whether to send a request again, and when. The function is pure.
 *
 * | Outcome | Idempotent | Not idempotent |
 * |---|---|---|
 * | 429 with `Retry-After` | after it, beyond `limit` too | the same |
 * | 429 without it, or with 0 | after a backoff | the same |
 * | 408, 500, 502, 503, 504, 520 to 524 | after `Retry-After`, or a backoff | only with `nonIdempotent` |
 * | no connection, so nothing was sent | after a backoff | the same |
 * | no connection for a lasting reason, such as its certificate | never | never |
 * | lost connection, also within the body of a success, or attempt timeout | after a backoff | only with `nonIdempotent` |
 * | 401, and the `apiKey` function now returns a different key | once | the same |
 * | oversized response, mistake in the code of a user's `fetch` | never | never |
 * | anything else | never | never |
 *
 * A `Retry-After` that is too long to wait out ends the call.
 */
export const decideRetry = (
  outcome: Outcome,
  policy: RetryPolicy | false,
  state: RetryState,
): RetryDecision => {
  if (policy === false) {
    return STOP;
  }
  const { status, rateLimit } = outcome.kind === 'response' ? outcome : {};
  const retryAfterMs = rateLimit?.retryAfterMs;
  if (status === 401 && state.mayRenewKey) {
    return { again: true, delayMs: 0, countsAsRetry: false, needsNewKey: true };
  }
  // `Retry-After` says when the service will accept requests, so only the total timeout limits these retries. A value of 0
  // does not say it: without the limit, a service that always sends 0 would receive requests without a pause.
  const isFree = status === 429 && (Boolean(retryAfterMs) || state.hasFreeRetries);
  const isOverLimit = !isFree && state.retries >= policy.limit;
  const isTooLong = retryAfterMs !== undefined && retryAfterMs > policy.maxRetryAfter;
  const mayActTwice = outcome.mayHaveActed && !state.idempotent && !policy.nonIdempotent;
  if (!isTransient(outcome) || isOverLimit || isTooLong || mayActTwice) {
    return STOP;
  }
  const delayMs = retryAfterMs || drawBackoff(policy, state.attempts - 1, state.random);
  return delayMs < state.remainingMs
    ? { again: true, delayMs, countsAsRetry: !isFree, needsNewKey: false }
    : STOP;
};

/** Returns for how many milliseconds a 429 pauses the client. */
export const pauseAfter = ({ rateLimit }: ReceivedOutcome, decision: RetryDecision): number =>
  decision.again ? decision.delayMs : Math.min(rateLimit.retryAfterMs ?? 0, MAX_PAUSE);
