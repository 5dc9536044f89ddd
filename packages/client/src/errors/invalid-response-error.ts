import type { Issue, OperationName } from '../contract/types.ts';
import { addBody } from './add-body.ts';
import { appendIssues } from './append-issues.ts';
import { CLASS, ConfabError } from './confab-error.ts';

/**
 * The response is not one that the API sends: HTML, a truncated body, a redirect, or data that breaks the contract.
 *
 * @example
 * ```ts
 * if (error instanceof InvalidResponseError) report('Is baseUrl right?', error.status, error.issues);
 * ```
 */
export class InvalidResponseError extends ConfabError {
  /** @internal */
  static override readonly [CLASS]: string = 'InvalidResponseError';
  override readonly name = 'InvalidResponseError';
  override readonly code = 'INVALID_RESPONSE';
  /** Id of the operation: `leads.create`. */
  declare readonly operation: OperationName;
  /** HTTP status; 0 when the runtime hides it, as browsers do for redirects. */
  declare readonly status: number;
  /** Where the body breaks the contract, at most 100 places; empty when the body is not JSON. */
  declare readonly issues: readonly Issue[];

  /**
   * The text of the response: at most 10,000 characters, with the API key removed. It may hold personal data, so it is not
   * enumerable, and loggers and `JSON.stringify` skip it. Undefined when no body was read.
   */
  declare readonly body: string | undefined;

  constructor(
    message: string,
    init: {
      operation: OperationName;
      status: number;
      issues?: readonly Issue[];
      cause?: unknown;
      body?: string | undefined;
    },
  ) {
    const { operation, status, issues = [], cause, body } = init;
    super(appendIssues(message, issues), { operation, status, issues }, cause);
    addBody(this, body);
  }
}
