/** One run of the handlers, as a store sees it. */
export interface DedupeClaim {
  /** Random, so that a run which outlived its lease does not release the claim of the next one. */
  readonly token: string;
  /** Milliseconds after which a claim that was neither completed nor released is free again. */
  readonly leaseMs: number;
  /** Milliseconds for which a completed key is remembered. */
  readonly ttlMs: number;
}

/** `claimed`: run now; `running`: another run has it; `completed`: it was run already. */
export type ClaimState = 'claimed' | 'running' | 'completed';

/**
 * Remembers which deliveries were run. Implement it on a database when several processes receive:
 * `examples/webhooks-redis` does so with `SET NX PX`.
 *
 * A `claim` that throws, rejects or returns anything else is answered 500, so that the sender comes again. Once the
 * handlers have ended, a `complete` or `release` that fails is only reported to `onError`, and one that takes long
 * (250 ms) goes on beside the response.
 */
export interface DedupeStore {
  /** Takes a key (yours, a colon and the body's SHA-256 in hex) for one run if it is free. Must be atomic: two claims at once give one `claimed`. */
  claim(key: string, claim: DedupeClaim): ClaimState | Promise<ClaimState>;
  /** Marks a key as run, for `ttlMs`. */
  complete(key: string, claim: DedupeClaim): void | Promise<void>;
  /** Frees a key whose run failed, if the claim with this token still holds it. */
  release(key: string, claim: DedupeClaim): void | Promise<void>;
}
