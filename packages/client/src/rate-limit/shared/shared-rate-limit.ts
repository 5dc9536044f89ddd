import type { Checks } from '@confab/internal';
import { hasMethods, integerFrom, millisecondsFrom, oneOf } from '@confab/internal';
import { checkOptions } from '../../options/option-checks.ts';
import type { SharedRateLimit } from '../../options/rate-window.ts';
import type { RateLimitStore } from './shared-window.ts';
import { SharedWindow } from './shared-window.ts';

/** Options of {@link sharedRateLimit}. */
export interface SharedRateLimitOptions {
  /** Where the window is kept. */
  store: RateLimitStore;
  /** Maximum number of requests in any `perMs` milliseconds, across all processes. */
  requests: number;
  /** Length of the sliding window in milliseconds: at most a day. */
  perMs: number;
  /**
   * What to do while the store fails. `'local'`: keep to the rate limit within this process, with a warning to the
   * client's `logger`. `'throw'`: fail the calls that wait, with {@link RateLimitStoreError}.
   *
   * @default 'local'
   */
  onStoreError?: 'local' | 'throw' | undefined;
}

/** Milliseconds. */
const MAX_WINDOW = 86_400_000;

const OPTIONS: Checks<SharedRateLimitOptions> = {
  store: (_, value) => {
    const method = ['take', 'release', 'pause'].find((name) => !hasMethods(value, name));
    return method && `\`store\` has no method ${method}(). See RateLimitStore for the three it needs.`;
  },
  requests: integerFrom(1),
  perMs: (name, value) =>
    millisecondsFrom(1)(name, value) ??
    (Number(value) > MAX_WINDOW
      ? `\`perMs\` must be at most ${MAX_WINDOW}, which is a day, got ${value}.`
      : undefined),
  onStoreError: oneOf('local', 'throw'),
};

/**
 * Shares one rate limit between processes, through any engine that implements {@link RateLimitStore}. For Redis, use
 * `redisRateLimit` from `@confab/client/redis`.
 *
 * Places are given out first come, first served within a process. The places of a process that dies become free once their
 * lease and the window have passed. The lease is the longest `timeout` of the process's calls, plus 30 seconds each if
 * `apiKey` and `headers` are functions.
 *
 * @throws {@link ConfigurationError} When an option is missing or invalid.
 * @example
 * ```ts
 * import type { RateLimitStore } from '@confab/client/rate-limit';
 *
 * declare const store: RateLimitStore; // yours
 * const confab = createClient({
 *   rateLimit: sharedRateLimit({ store, requests: 600, perMs: 60_000 }),
 * });
 * ```
 */
export const sharedRateLimit = (options: SharedRateLimitOptions): SharedRateLimit => {
  checkOptions('option of sharedRateLimit', options, OPTIONS, undefined, {
    required: ['store', 'requests', 'perMs'],
  });
  const { store, requests, perMs, onStoreError = 'local' } = options;
  return { open: (host) => new SharedWindow({ store, requests, perMs, onStoreError }, host) };
};
