import type { Evidence } from '../options/rate-window.ts';
import type { Limiter } from '../rate-limit/limiter.ts';
import type { AttemptOutcome } from './exchange.ts';
import { successOf } from './response.ts';
import type { RetryDecision } from './retry.ts';

/**
 * Longest pause in milliseconds after a `Retry-After` that is too long to wait out. After it, one call finds out whether
 * the service accepts requests again.
 */
const MAX_PAUSE = 3_600_000;

/**
 * Tells the limiter what a response says about the rate limit, while its place is still taken.
 *
 * @returns What the response proves about the window of the service.
 */
export const tellLimiter = (
  limiter: Limiter,
  outcome: AttemptOutcome,
  decision: RetryDecision,
  now: number,
): Evidence | undefined => {
  if (outcome.kind !== 'response') {
    return undefined;
  }
  const { body, rateLimit, status } = outcome;
  const { limit, retryAfterMs } = rateLimit;
  // A proxy may respond by itself, and report a limit of its own.
  const isFromApi = typeof successOf(body) === 'boolean';
  if (isFromApi) {
    limiter.observe(rateLimit);
  }
  if (status === 429) {
    limiter.pause(now + (decision.again ? decision.delayMs : Math.min(retryAfterMs ?? 0, MAX_PAUSE)));
  }
  if (!isFromApi) {
    return undefined;
  }
  // A 429 without a limit has another reason, such as overload.
  if (status === 429 && limit !== undefined && retryAfterMs !== undefined) {
    return { kind: 'refused', retryAfterMs };
  }
  return status < 300 ? { kind: 'accepted' } : undefined;
};
