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
