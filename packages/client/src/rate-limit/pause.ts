import type { AcquireOptions, AcquireRefusal, RequestEnd } from './queue.ts';

/**
 * Longest pause in milliseconds after a `Retry-After` that is too long to wait out. After it, calls are sent again, to find
 * out whether the service accepts requests.
 */
const MAX_PAUSE = 3_600_000;

/** Returns for how many milliseconds a request that ended with a 429 pauses the client. */
export const pauseAfter = ({ response, repeatsInMs }: RequestEnd): number =>
  repeatsInMs ?? Math.min(response?.rateLimit.retryAfterMs ?? 0, MAX_PAUSE);

/** Returns the refusal of a call that may not wait until the pause ends. */
export const refusePause = (
  { maxPause, endsAt }: AcquireOptions,
  pausedUntil: number,
  now: number,
): AcquireRefusal | undefined => {
  const retryAfterMs = Math.ceil(pausedUntil - now);
  return retryAfterMs > 0 && (retryAfterMs > maxPause || now + retryAfterMs >= endsAt)
    ? { refused: 'paused', retryAfterMs }
    : undefined;
};
