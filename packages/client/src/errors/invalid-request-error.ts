import type { Issue, OperationName } from '../contract/types.ts';
import { appendIssues } from './append-issues.ts';
import { CLASS, ConfabError } from './confab-error.ts';

/**
 * The input breaks the contract. Nothing was sent.
 *
 * @example
 * ```ts
 * if (error instanceof InvalidRequestError) for (const { path, message } of error.issues) report(path, message);
 * ```
 */
export class InvalidRequestError extends ConfabError {
  /** @internal */
  static override readonly [CLASS]: string = 'InvalidRequestError';
  override readonly name = 'InvalidRequestError';
  override readonly code = 'INVALID_REQUEST';
  /** Id of the operation: `leads.create`. */
  declare readonly operation: OperationName;
  /** Every problem found, not only the first. */
  declare readonly issues: readonly Issue[];

  /** @param label What the message calls the call. */
  constructor(operation: OperationName, issues: readonly Issue[], label: string = operation) {
    super(appendIssues(`${label} was not sent because its input is invalid.`, issues), {
      operation,
      issues,
    });
  }
}
