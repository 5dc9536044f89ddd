import { namesOf } from '@confab/internal';
import { ConfigurationError } from '../../errors/index.ts';
import { checkNames } from '../../options/check-names.ts';
import { numberFrom, oneOf, wholeFrom } from '../../options/check-values.ts';
import type { SharedRateLimit } from '../../options/rate-window.ts';
import type { RateLimitStore } from './rate-limit-store.ts';
import { createSharedWindow } from './shared-window.ts';

/** Options of {@link sharedRateLimit}. */
export interface SharedRateLimitOptions {
  /** Where the window is kept. */
  store: RateLimitStore;
  /** Most requests in any `perMs` milliseconds, all processes together. */
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
const LONGEST_WINDOW = 86_400_000;

const NAMES = namesOf<SharedRateLimitOptions>({
  store: true,
  requests: true,
  perMs: true,
  onStoreError: true,
});

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
  checkNames('option of sharedRateLimit', options, NAMES);
  const { store, requests, perMs, onStoreError = 'local' } = options;
  wholeFrom(1)('requests', requests);
  numberFrom(1)('perMs', perMs);
  if (perMs > LONGEST_WINDOW) {
    throw new ConfigurationError(
      `\`perMs\` must be at most ${LONGEST_WINDOW}, which is a day, got ${perMs}.`,
    );
  }
  oneOf('local', 'throw')('onStoreError', onStoreError);
  for (const method of ['take', 'release', 'pause'] as const) {
    if (typeof store?.[method] !== 'function') {
      throw new ConfigurationError(
        `\`store\` has no method ${method}(). See RateLimitStore for the three it needs.`,
      );
    }
  }
  return { open: (host) => createSharedWindow({ store, requests, perMs, onStoreError }, host) };
};
