import type { Issue, OperationName } from '../contract/types.ts';
import { addBody, CLASS, ConfabError } from './confab-error.ts';

/** Appends issues to a message, one line each. */
const appendIssues = (message: string, issues: readonly Issue[]): string =>
  [message, ...issues.map((issue) => `  ${issue.path} ${issue.message}`)].join('\n');

/**
 * The API could not be reached, or the connection broke before a response arrived.
 *
 * If no connection was made, the client has retried the request where that could help. Otherwise the service may have
 * acted on a POST (see `mayHaveActed`), so the client does not retry it unless `retry.nonIdempotent` is set.
 *
 * @example
 * ```ts
 * if (error instanceof ConnectionError) report(error.operation, error.mayHaveActed, error.cause);
 * ```
 */
export class ConnectionError extends ConfabError {
  /** @internal */
  static override readonly [CLASS]: string = 'ConnectionError';
  declare readonly name: 'ConnectionError';
  override readonly code = 'CONNECTION_FAILED';
  /** Id of the operation: `leads.create`. */
  declare readonly operation: OperationName;
  /** Number of attempts. */
  declare readonly attempts: number;

  constructor(message: string, init: { operation: OperationName; attempts: number; cause: unknown }) {
    super(message, init);
  }
}

/**
 * An attempt took longer than `timeout`, or the whole call took longer than `totalTimeout`.
 *
 * @example
 * ```ts
 * if (error instanceof TimeoutError && !error.mayHaveActed) requeueIn(1_000);
 * ```
 */
export class TimeoutError extends ConfabError {
  /** @internal */
  static override readonly [CLASS]: string = 'TimeoutError';
  declare readonly name: 'TimeoutError';
  override readonly code = 'TIMEOUT';
  /** Which limit was exceeded: `timeout` of one attempt, or `totalTimeout` of the call. */
  declare readonly kind: 'attempt' | 'total';
  /** Id of the operation: `leads.create`. */
  declare readonly operation: OperationName;
  /** Number of times the request was sent: 0 when the call was still queued. */
  declare readonly attempts: number;

  constructor(
    message: string,
    init: { kind: 'attempt' | 'total'; operation: OperationName; attempts: number },
  ) {
    super(message, init);
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
  /** @internal */
  static override readonly [CLASS]: string = 'InvalidRequestError';
  declare readonly name: 'InvalidRequestError';
  override readonly code = 'INVALID_REQUEST';
  /** Id of the operation: `leads.create`. */
  declare readonly operation: OperationName;
  /** Every problem found, not only the first. */
  declare readonly issues: readonly Issue[];

  /** @param label The name of the call in the message. */
  constructor(operation: OperationName, issues: readonly Issue[], label: string = operation) {
    super(appendIssues(`${label} was not sent because its input is invalid.`, issues), {
      operation,
      issues,
    });
  }
}

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
  declare readonly name: 'InvalidResponseError';
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
    super(appendIssues(message, issues), { operation, status, issues, cause });
    addBody(this, body);
  }
}

/**
 * An option is missing or invalid, so the client cannot be created or cannot send the request.
 *
 * @example
 * ```ts
 * try {
 *   createClient(); // reads CONFAB_BASE_URL and CONFAB_API_KEY
 * } catch (error) {
 *   if (error instanceof ConfigurationError) report(error.message); // names the missing option
 * }
 * ```
 */
export class ConfigurationError extends ConfabError {
  /** @internal */
  static override readonly [CLASS]: string = 'ConfigurationError';
  declare readonly name: 'ConfigurationError';
  override readonly code = 'INVALID_CONFIGURATION';
}

/**
 * The store of a shared rate limit failed, and `onStoreError: 'throw'` is set.
 *
 * @example
 * ```ts
 * if (error instanceof RateLimitStoreError && !error.mayHaveActed) requeueIn(1_000);
 * ```
 */
export class RateLimitStoreError extends ConfabError {
  /** @internal */
  static override readonly [CLASS]: string = 'RateLimitStoreError';
  declare readonly name: 'RateLimitStoreError';
  override readonly code = 'RATE_LIMIT_STORE_FAILED';
  /** Id of the operation: `leads.create`. */
  declare readonly operation: OperationName;
  /** Number of times the request was sent before the store failed. */
  declare readonly attempts: number;
}

/**
 * An import stopped, because too many rows failed without a success in between, or because the API refused all of its
 * requests with a 429. `cause` is the error of the last row.
 *
 * @example
 * ```ts
 * if (error instanceof ImportStoppedError) report(error.message, error.cause);
 * ```
 */
export class ImportStoppedError extends ConfabError {
  /** @internal */
  static override readonly [CLASS]: string = 'ImportStoppedError';
  declare readonly name: 'ImportStoppedError';
  override readonly code = 'IMPORT_STOPPED';
  /** Earlier rows may have been imported: `progress` counts them. */
  override readonly mayHaveActed = true;
}
