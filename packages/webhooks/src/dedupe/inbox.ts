import type { WebhookError } from '../errors.ts';
import type { ClaimState } from './dedupe-store.ts';
import type { VerifiedDelivery } from './delivery-id.ts';

/** A delivery that a receiver or a worker is about to handle. */
export type HandledDelivery = Omit<VerifiedDelivery, 'body'>;

/** The result of a run of the handlers. */
export interface RunResult {
  /** Whether the handlers have run, are running elsewhere, or had run before. */
  readonly state: ClaimState;
  /** The errors of the handlers. */
  readonly failure?: WebhookError | undefined;
  /** Resolves once the store knows about the end of the run, or to the error if it failed. No response depends on it. */
  readonly recorded?: Promise<WebhookError | undefined> | undefined;
}

/**
 * Runs the handlers of a delivery inside a transaction that remembers the delivery, as `postgresInbox` of
 * `@confab/webhooks/postgres` does. Pass it as `dedupe`. Handlers receive the client of the transaction as `tx`.
 */
export interface Inbox<Tx = unknown> {
  /** Returns the key of a delivery, as the `key` of a store does. The signed id if it is not set. */
  readonly key?: ((delivery: VerifiedDelivery) => string | undefined) | undefined;
  /**
   * Runs the handlers, unless the inbox remembers the key.
   *
   * @param key It consists of letters, digits, `-` and `_`. Without it, the handlers always run.
   * @param handle Runs the handlers. Resolves to their errors; then the transaction must be rolled back.
   */
  run(
    key: string | undefined,
    delivery: HandledDelivery,
    handle: (tx: Tx) => Promise<WebhookError | undefined>,
  ): Promise<RunResult>;
}
