import { counted } from '../errors/check.ts';
import { Refusal } from '../errors/refusal.ts';
import type { ApiKey, Keys } from '../world/keys/keys.ts';
import type { Call } from './call.ts';

const keyIn = (call: Pick<Call, 'header'>): string | undefined => {
  const own = call.header('x-api-key')?.trim();
  if (own) {
    return own;
  }
  return /^bearer +(\S+)\s*$/i.exec(call.header('authorization') ?? '')?.[1];
};

/** The key of a request, or `undefined` if it has no valid one. */
export const keyOf = (keys: Keys, call: Pick<Call, 'header'>): ApiKey | undefined => {
  const key = keyIn(call);
  return key === undefined ? undefined : keys.get(key);
};

/**
 * Returns the key of a request.
 *
 * @throws {@link Refusal} 401, when the key is missing or invalid.
 */
export const authenticate = (keys: Keys, call: Pick<Call, 'header'>): ApiKey => {
  const key = keyIn(call);
  if (key === undefined) {
    throw new Refusal(
      401,
      'API_KEY_REQUIRED',
      'An API key is required: send it as X-API-Key: <key> or Authorization: Bearer <key>',
    );
  }
  const found = keys.get(key);
  if (found === undefined) {
    throw new Refusal(401, 'API_KEY_INVALID', 'The API key is not valid');
  }
  return found;
};

/**
 * Checks that a key has a scope.
 *
 * @throws {@link Refusal} 403, when the key lacks the scope, which the message names.
 */
export const authorize = (key: ApiKey, scope: string): void => {
  if (!key.scopes.has(scope)) {
    throw new Refusal(403, 'SCOPE_REQUIRED', `The API key lacks the scope ${scope}`);
  }
};

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
