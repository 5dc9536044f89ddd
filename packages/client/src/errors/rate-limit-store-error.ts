import type { OperationName } from '../contract/types.ts';
import { CLASS, ConfabError } from './confab-error.ts';

/**
 * The store of a shared rate limit failed, and `onStoreError: 'throw'` is set.
 *
 * @example
 * ```ts
 * if (error instanceof RateLimitStoreError && error.attempts === 0) {
 *   requeueIn(1_000); // nothing was sent
 * }
 * ```
 */
export class RateLimitStoreError extends ConfabError {
  /** @internal */
  static override readonly [CLASS]: string = 'RateLimitStoreError';
  override readonly name = 'RateLimitStoreError';
  override readonly code = 'RATE_LIMIT_STORE_FAILED';
  /** Id of the operation: `leads.create`. */
  declare readonly operation: OperationName;
  /** How often the request was sent before the store failed. */
  declare readonly attempts: number;

  constructor(
    {
      operation,
      label,
      attempts,
    }: { readonly operation: OperationName; readonly label: string; readonly attempts: number },
    cause: Error | undefined,
    reason = cause?.message ?? 'unknown error',
  ) {
    super(
      `${label} was not sent${attempts === 0 ? '' : ' again'}, because the rate-limit store failed: ${reason}. Check the store, or remove \`onStoreError: 'throw'\` to continue with this process's own count.`,
      { operation, attempts },
      cause,
    );
  }
}
