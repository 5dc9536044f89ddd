import type { Issue, OperationId } from '../contract/types/index.ts';
import { ConfabError } from './confab-error.ts';

const withIssues = (message: string, issues: readonly Issue[]): string =>
  issues.length === 0
    ? message
    : `${message}\n${issues.map(({ path, message }) => `  ${path} ${message}`).join('\n')}`;

/**
 * The API could not be reached, or the connection broke before it answered.
 *
 * After a POST nobody can say whether the service acted: it is not repeated unless `retry.nonIdempotent` is set.
 *
 * @example
 * ```ts
 * if (error instanceof ConnectionError) report(error.operation, error.cause);
 * ```
 */
export class ConnectionError extends ConfabError {
  override readonly name = 'ConnectionError';
  override readonly code = 'CONNECTION_FAILED';
  readonly operation: OperationId;
  /** How often the request was sent. */
  readonly attempts: number;

  constructor(message: string, facts: { operation: OperationId; attempts: number; cause: unknown }) {
    super(message, { cause: facts.cause });
    this.operation = facts.operation;
    this.attempts = facts.attempts;
  }
}

/**
 * An attempt took longer than `timeout`, or the whole call longer than `deadline`.
 *
 * @example
 * ```ts
 * if (error instanceof TimeoutError && error.attempts === 0) requeueIn(1_000); // nothing was sent
 * ```
 */
export class TimeoutError extends ConfabError {
  override readonly name = 'TimeoutError';
  override readonly code = 'TIMEOUT';
  /** Which of the two bounds was passed. */
  readonly kind: 'attempt' | 'deadline';
  readonly operation: OperationId;
  /** How often the request was sent: 0 when the call was still queued. */
  readonly attempts: number;

  constructor(
    message: string,
    facts: { kind: 'attempt' | 'deadline'; operation: OperationId; attempts: number },
  ) {
    super(message);
    this.kind = facts.kind;
    this.operation = facts.operation;
    this.attempts = facts.attempts;
  }
}

/**
 * The input breaks the contract. Nothing was sent.
 *
 * @example
 * ```ts
 * if (error instanceof InvalidRequestError) for (const { path, message } of error.issues) report(path, message);
 * ```
 */
export class InvalidRequestError extends ConfabError {
  override readonly name = 'InvalidRequestError';
  override readonly code = 'INVALID_REQUEST';
  readonly operation: OperationId;
  /** Everything that is wrong, not only the first thing. */
  readonly issues: readonly Issue[];

  constructor(operation: OperationId, issues: readonly Issue[]) {
    super(withIssues(`${operation} was not sent: its input is invalid.`, issues));
    this.operation = operation;
    this.issues = issues;
  }
}

/**
 * What was answered is not the API's: HTML, a body that broke off, a redirect, another shape.
 *
 * @example
 * ```ts
 * if (error instanceof InvalidResponseError) report('is baseUrl right?', error.status, error.issues);
 * ```
 */
export class InvalidResponseError extends ConfabError {
  override readonly name = 'InvalidResponseError';
  override readonly code = 'INVALID_RESPONSE';
  readonly operation: OperationId;
  /** HTTP status; 0 when the runtime hides it, as browsers do for a redirect. */
  readonly status: number;
  /** Where the body breaks the contract, at most 100 places; empty when it could not be read as JSON at all. */
  readonly issues: readonly Issue[];

  constructor(
    message: string,
    facts: { operation: OperationId; status: number; issues?: readonly Issue[]; cause?: unknown },
  ) {
    super(withIssues(message, facts.issues ?? []), facts.cause === undefined ? {} : { cause: facts.cause });
    this.operation = facts.operation;
    this.status = facts.status;
    this.issues = facts.issues ?? [];
  }
}

/**
 * The client cannot be made, or cannot send anything, with the options that it was given.
 *
 * @example
 * ```ts
 * try {
 *   createClient(); // reads CONFAB_BASE_URL and CONFAB_API_KEY
 * } catch (error) {
 *   if (error instanceof ConfigurationError) report(error.message); // names the option that is missing
 * }
 * ```
 */
export class ConfigurationError extends ConfabError {
  override readonly name = 'ConfigurationError';
  override readonly code = 'INVALID_CONFIGURATION';
}
