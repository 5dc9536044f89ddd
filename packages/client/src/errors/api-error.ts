import type { OperationName } from '../contract/types.ts';
import { addBody } from './add-body.ts';
import { CLASS, ConfabError } from './confab-error.ts';

/** The fields of an {@link ApiError}. */
export interface ApiErrorInit {
  /** HTTP status. */
  readonly status: number;
  /** The `code` of the error body, or `HTTP_<status>` when the body has none. */
  readonly code: string;
  /** The `error` text of the error body; undefined when the body is not an error envelope. */
  readonly detail: string | undefined;
  /** Id of the operation: `leads.create`. */
  readonly operation: OperationName;
  /** Number of times the request was sent. */
  readonly attempts: number;
  /** Response headers: names in lower case, without cookies. */
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the response; undefined when no body was read. */
  readonly body?: string | undefined;
}

/**
 * The API returned an error response. Each common status has a subclass; any other status is a plain `ApiError`.
 *
 * @example
 * ```ts
 * if (error instanceof ApiError && error.status === 422) report(error.operation, error.code);
 * ```
 */
export class ApiError extends ConfabError implements ApiErrorInit {
  /** @internal */
  static override readonly [CLASS]: string = 'ApiError';
  // Typed as a string: subclasses narrow it to their own name.
  override readonly name: string = 'ApiError';
  /** HTTP status. */
  declare readonly status: number;
  /** The `code` of the error body, or `HTTP_<status>` when the body has none. */
  declare readonly code: string;
  /**
   * The service's own explanation: the `error` text of the error body, at most 1,000 characters, with the API key
   * removed. Undefined when the body is not an error envelope.
   */
  declare readonly detail: string | undefined;
  /** Id of the operation: `leads.create`. */
  declare readonly operation: OperationName;
  /** Number of times the request was sent. */
  declare readonly attempts: number;
  /** Response headers: names in lower case, without cookies. */
  declare readonly headers: Readonly<Record<string, string>>;

  /**
   * The text of the response: at most 10,000 characters, with the API key removed. It may hold personal data, so it is not
   * enumerable, and loggers and `JSON.stringify` skip it. Undefined when no body was read.
   */
  declare readonly body: string | undefined;

  constructor(message: string, init: ApiErrorInit) {
    const { body, ...fields } = init;
    super(message, fields);
    addBody(this, body);
  }
}
