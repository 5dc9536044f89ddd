import { namesOf } from '@confab/internal';
import { ConfigurationError } from '../../errors/index.ts';
import { checkNames } from '../../options/check-names.ts';
import { numberFrom, oneOf, wholeFrom } from '../../options/check-values.ts';
import type { SharedRateLimit } from '../../options/rate-window.ts';
import { createSharedWindow } from './shared-window.ts';

/** What a {@link RateLimitStore} says to a process that asks for places. */
export interface RateLimitGrant {
  /** One name for each place that was granted, at most as many as were asked for. */
  readonly places: readonly string[];
  /** Milliseconds after which asking again may help, when fewer places were granted than asked for. */
  readonly waitMs: number;
  /** Milliseconds for which no process may send, because one of them met a 429; 0 when there is no pause. */
  readonly pausedMs: number;
  /** A problem of the engine that it has coped with. The client's `logger` receives the first one. */
  readonly warning?: string | undefined;
}

/**
 * The rate-limit window that several processes share, kept in an engine that all of them reach. `redisRateLimit` from
 * `@confab/client/redis` is one. Each method must be atomic, and all times must come from the engine's own clock:
 * clocks of different machines differ.
 */
export interface RateLimitStore {
  /**
   * Takes up to `count` places of the window; a `count` of 0 only asks whether the store responds.
   *
   * A place that is never released, because its process died, must become free again after `leaseMs` milliseconds and the
   * length of the window.
   */
  take(request: { readonly count: number; readonly leaseMs: number }): Promise<RateLimitGrant>;
  /**
   * Ends a request. When it counts, its place becomes free after the length of the window, measured from now; otherwise at
   * once.
   */
  release(place: string, counts: boolean): Promise<unknown>;
  /** Grants nothing for `ms` milliseconds. The pause that ends last wins. */
  pause(ms: number): Promise<unknown>;
  /** Returns the error of the engine's connection, if it is known. The warning about a store that does not respond names it. */
  connectionError?(): unknown;
}

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
