import type { OperationName } from '../contract/types.ts';
import { CLASS, ConfabError } from './confab-error.ts';

/**
 * The API could not be reached, or the connection broke before a response arrived.
 *
 * If no connection was made, the message says that the request was not sent, and the client has repeated it. Otherwise the
 * service may or may not have acted on a POST, so the client does not repeat it unless `retry.nonIdempotent` is set.
 *
 * @example
 * ```ts
 * if (error instanceof ConnectionError) report(error.operation, error.cause);
 * ```
 */
export class ConnectionError extends ConfabError {
  /** @internal */
  static override readonly [CLASS]: string = 'ConnectionError';
  override readonly name = 'ConnectionError';
  override readonly code = 'CONNECTION_FAILED';
  /** Id of the operation: `leads.create`. */
  declare readonly operation: OperationName;
  /** Number of attempts. */
  declare readonly attempts: number;

  constructor(message: string, init: { operation: OperationName; attempts: number; cause: unknown }) {
    const { cause, ...fields } = init;
    super(message, fields, cause);
  }
}
