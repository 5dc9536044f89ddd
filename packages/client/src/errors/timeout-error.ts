import type { OperationName } from '../contract/types.ts';
import { CLASS, ConfabError } from './confab-error.ts';

/**
 * An attempt took longer than `timeout`, or the whole call took longer than `deadline`.
 *
 * @example
 * ```ts
 * if (error instanceof TimeoutError && error.attempts === 0) requeueIn(1_000); // nothing was sent
 * ```
 */
export class TimeoutError extends ConfabError {
  /** @internal */
  static override readonly [CLASS]: string = 'TimeoutError';
  override readonly name = 'TimeoutError';
  override readonly code = 'TIMEOUT';
  /** Which limit was exceeded: `timeout` of one attempt, or `deadline` of the call. */
  declare readonly kind: 'attempt' | 'deadline';
  /** Id of the operation: `leads.create`. */
  declare readonly operation: OperationName;
  /** Number of times the request was sent: 0 when the call was still queued. */
  declare readonly attempts: number;

  constructor(
    message: string,
    init: { kind: 'attempt' | 'deadline'; operation: OperationName; attempts: number },
  ) {
    super(message, init);
  }
}
