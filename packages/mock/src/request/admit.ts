import { counted } from '../checks/counted.ts';
import { Refusal } from '../http/refusal.ts';
import type { ApiKey } from '../world/keys/keys.ts';

/**
 * Counts a request in the window of its key, and returns the service's rate-limit headers.
 *
 * @throws {@link Refusal} 429, when the window is full, with the seconds to wait.
 */
export const admit = (key: ApiKey, now: number): Record<string, string> => {
  const { admitted, remaining, retryAfterSeconds } = key.window.admit(now);
  if (key.limit.requests === Number.POSITIVE_INFINITY) {
    return {};
  }
  const headers = {
    'x-ratelimit-limit': String(key.limit.requests),
    'x-ratelimit-remaining': String(remaining),
  };
  if (!admitted) {
    throw new Refusal(
      429,
      'RATE_LIMIT_EXCEEDED',
      `Rate limit exceeded: ${counted(key.limit.requests, 'request')} in ${key.limit.perMs / 1000} s; try again in ${retryAfterSeconds} s`,
      { ...headers, 'retry-after': String(retryAfterSeconds) },
    );
  }
  return headers;
};
