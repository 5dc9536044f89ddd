import { pluralize } from '../errors/check.ts';
import { Refusal } from '../errors/refusal.ts';
import type { ApiKey, Keys } from '../world/keys/keys.ts';
import type { IncomingRequest } from './incoming-request.ts';

type WithHeaders = Pick<IncomingRequest, 'header'>;

const readKey = (incoming: WithHeaders): string | undefined =>
  incoming.header('x-api-key')?.trim() ||
  /^bearer +(\S+)\s*$/i.exec(incoming.header('authorization') ?? '')?.[1] ||
  undefined;

/** Returns the key of a request, or `undefined` if it has no valid one. */
export const findKey = (keys: Keys, incoming: WithHeaders): ApiKey | undefined =>
  keys.get(readKey(incoming) ?? '');

/** @throws A {@link Refusal} 401, when the request has no key, or one that is not valid. */
export const requireKey = (key: ApiKey | undefined, incoming: WithHeaders): ApiKey => {
  if (key !== undefined) {
    return key;
  }
  if (readKey(incoming) === undefined) {
    throw new Refusal(
      401,
      'API_KEY_REQUIRED',
      'An API key is required: send it as X-API-Key: <key> or Authorization: Bearer <key>',
    );
  }
  throw new Refusal(401, 'API_KEY_INVALID', 'The API key is not valid');
};

/**
 * Checks that a key has a scope.
 *
 * @throws A {@link Refusal} 403, when the key lacks the scope, which the message names.
 */
export const authorize = (key: ApiKey, scope: string): void => {
  if (!key.scopes.has(scope)) {
    throw new Refusal(403, 'SCOPE_REQUIRED', `The API key lacks the scope ${scope}`);
  }
};

/**
 * Counts a request in the window of its key, and returns the service's rate-limit headers. A refused request does not
 * count.
 *
 * The window holds the time of every admitted request. A counter per fixed minute would admit twice the limit around the
 * end of a minute.
 *
 * @throws A {@link Refusal} 429, when the window is full, with the seconds to wait.
 */
export const admit = ({ limit, window }: ApiKey, now: number): Record<string, string> => {
  const { requests, perMs } = limit;
  if (requests === Number.POSITIVE_INFINITY) {
    return {};
  }
  const left = requests - window.count(now);
  const headers = {
    'x-ratelimit-limit': String(requests),
    'x-ratelimit-remaining': String(Math.max(0, left - 1)),
  };
  if (left > 0) {
    window.add(now);
    return headers;
  }
  // With a limit of 0, no wait helps, but `Retry-After` must be a number. So it is the length of the window.
  const freesAt = (window.at(0) ?? now) + perMs;
  const seconds = Math.max(1, Math.ceil((freesAt - now) / 1000));
  throw new Refusal(
    429,
    'RATE_LIMIT_EXCEEDED',
    `Rate limit exceeded: ${pluralize(requests, 'request')} in ${perMs / 1000} s; try again in ${seconds} s`,
    { ...headers, 'retry-after': String(seconds) },
  );
};
