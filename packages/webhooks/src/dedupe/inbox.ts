import type { WebhookError } from '../errors.ts';
import type { ClaimState } from './dedupe-store.ts';
import type { DedupeKey, VerifiedDelivery } from './delivery-id.ts';

/** A delivery that a receiver or a worker is about to handle. */
export type HandledDelivery = Omit<VerifiedDelivery, 'body'>;

/** The result of a run of the handlers. */
export interface RunResult {
  /** `claimed`: the handlers have run now. `running`: they run elsewhere. `completed`: they had run before. */
  readonly state: ClaimState;
  /** The error, if a handler failed. */
  readonly failure?: WebhookError | undefined;
  /** Resolves once the store has recorded the end of the run, or to the error if the store failed. */
  readonly recorded?: Promise<WebhookError | undefined> | undefined;
}

/**
 * Runs the handlers of a delivery inside a transaction that remembers the delivery, as `postgresInbox` of
 * `@confab/webhooks/postgres` does. Pass an inbox as `dedupe`. Handlers receive the client of the transaction as `tx`.
 */
export interface Inbox<Tx = unknown> extends DedupeKey {
  /**
   * Runs the handlers, unless the inbox remembers the key.
   *
   * @param key Letters, digits, `-` and `_`. If the key is undefined, the handlers always run.
   * @param handle Runs the handlers. If this function resolves to an error, roll the transaction back.
   */
  run(
    key: string | undefined,
    delivery: HandledDelivery,
    handle: (tx: Tx) => Promise<WebhookError | undefined>,
  ): Promise<RunResult>;
}
