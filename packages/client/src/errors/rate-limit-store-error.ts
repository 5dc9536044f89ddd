import { ConfabError } from './confab-error.ts';

/**
 * The store of a shared rate limit failed, and `onStoreError: 'throw'` is set. Nothing was sent.
 *
 * @example
 * ```ts
 * if (error instanceof RateLimitStoreError) {
 *   requeueIn(1_000); // error.cause says why
 * }
 * ```
 */
export class RateLimitStoreError extends ConfabError {
  override readonly name = 'RateLimitStoreError';
  override readonly code = 'RATE_LIMIT_STORE_FAILED';

  constructor(cause: unknown) {
    super(
      `The rate-limit store failed, so nothing was sent: ${cause instanceof Error ? cause.message : String(cause)}. Check the store, or leave out \`onStoreError: 'throw'\` to go on with this process's own count.`,
      { cause },
    );
  }
}
