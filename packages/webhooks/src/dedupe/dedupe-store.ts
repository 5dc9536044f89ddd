/** A claim on a key for one run of the handlers. */
export interface DedupeClaim {
  /** A random token. It keeps a run that outlived its lease from releasing the claim of the next run. */
  readonly token: string;
  /** Milliseconds after which a key that was neither completed nor released is free again. */
  readonly leaseMs: number;
  /** Milliseconds for which a completed key is remembered. */
  readonly ttlMs: number;
}

/** `claimed`: run the handlers now. `running`: another run has the key. `completed`: the handlers have run. */
export type ClaimState = 'claimed' | 'running' | 'completed';

/**
 * Remembers which deliveries were handled. When several processes receive deliveries, use `redisDedupeStore` from
 * `@confab/webhooks/redis`, or implement this interface with your database.
 *
 * If `claim` throws, rejects or returns anything but a `ClaimState`, the response is 500 and the sender retries. `complete`
 * and `release` are called after the handlers. If they fail, the error is only reported to `onError`, and the response
 * waits for them at most 250 ms.
 */
export interface DedupeStore {
  /**
   * Claims a key for one run if it is free. This must be atomic: of two simultaneous claims, only one may return
   * `claimed`.
   *
   * @param key Your key, a dash and the SHA-256 of the body in hex; or the signed id, if `dedupe.key` is not set. The key
   * consists of letters, digits, `-` and `_`.
   */
  claim(key: string, claim: DedupeClaim): ClaimState | Promise<ClaimState>;
  /** Marks a key as completed for `ttlMs`. */
  complete(key: string, claim: DedupeClaim): void | Promise<void>;
  /** Releases the key of a failed run, if the claim with this token still holds it. */
  release(key: string, claim: DedupeClaim): void | Promise<void>;
}
