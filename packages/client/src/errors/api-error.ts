import type { OperationName } from '../contract/types.ts';
import { addBody, CLASS, ConfabError } from './confab-error.ts';

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
  declare readonly name: string;
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

/**
 * 400: the API rejected the parameters as invalid.
 *
 * @example
 * ```ts
 * if (error instanceof BadRequestError) report(error.detail); // 'phone is not a valid number'
 * ```
 */
export class BadRequestError extends ApiError {
  /** @internal */
  static override readonly [CLASS]: string = 'BadRequestError';
  declare readonly name: 'BadRequestError';
}

/**
 * 401: the API key is missing (`API_KEY_REQUIRED`) or invalid (`API_KEY_INVALID`).
 *
 * @example
 * ```ts
 * if (error instanceof AuthenticationError) report('Was the key revoked?', error.code);
 * ```
 */
export class AuthenticationError extends ApiError {
  /** @internal */
  static override readonly [CLASS]: string = 'AuthenticationError';
  declare readonly name: 'AuthenticationError';
}

/**
 * 403: the API key is valid but lacks a scope.
 *
 * @example
 * ```ts
 * if (error instanceof PermissionError) report('The key needs', error.missingScope);
 * ```
 */
export class PermissionError extends ApiError {
  /** @internal */
  static override readonly [CLASS]: string = 'PermissionError';
  declare readonly name: 'PermissionError';
  /** The scope named in the error text, such as `write:leads`. Undefined when it names none. */
  declare readonly missingScope: string | undefined;

  constructor(message: string, init: ApiErrorInit & { missingScope: string | undefined }) {
    super(message, init);
  }
}

/**
 * 404: the resource does not exist.
 *
 * @example
 * ```ts
 * const found = await confab.leads.get(id).catch((error: unknown) => {
 *   if (error instanceof NotFoundError) return undefined;
 *   throw error;
 * });
 * ```
 */
export class NotFoundError extends ApiError {
  /** @internal */
  static override readonly [CLASS]: string = 'NotFoundError';
  declare readonly name: 'NotFoundError';
}

/**
 * 409: the resource already exists. `confab.leads.ensure` returns the existing lead instead of throwing.
 *
 * @example
 * ```ts
 * if (error instanceof ConflictError) report('This lead already exists', error.detail);
 * ```
 */
export class ConflictError extends ApiError {
  /** @internal */
  static override readonly [CLASS]: string = 'ConflictError';
  declare readonly name: 'ConflictError';
}

/** The rate limit that a response reports. */
export interface RateLimitInfo {
  /** Requests that the key may make per minute, from `X-RateLimit-Limit`; undefined when absent or malformed. */
  readonly limit: number | undefined;
  /** Requests left, from `X-RateLimit-Remaining`; undefined when absent or malformed. */
  readonly remaining: number | undefined;
  /** Milliseconds to wait, from `Retry-After`; undefined when absent or malformed. */
  readonly retryAfterMs: number | undefined;
}

/**
 * 429: the rate limit was exceeded, and the client may not wait or would have to wait too long.
 *
 * @example
 * ```ts
 * if (error instanceof RateLimitError) requeueIn(error.retryAfterMs ?? 60_000);
 * ```
 */
export class RateLimitError extends ApiError implements RateLimitInfo {
  /** @internal */
  static override readonly [CLASS]: string = 'RateLimitError';
  declare readonly name: 'RateLimitError';
  /** Requests that the key may make per minute, from `X-RateLimit-Limit`; undefined when absent or malformed. */
  declare readonly limit: number | undefined;
  /** Requests left, from `X-RateLimit-Remaining`; undefined when absent or malformed. */
  declare readonly remaining: number | undefined;
  /** Milliseconds to wait, from `Retry-After` or what is left of a pause; undefined when unknown. */
  declare readonly retryAfterMs: number | undefined;

  constructor(message: string, init: ApiErrorInit & RateLimitInfo) {
    super(message, init);
  }
}

/**
 * 5xx: the service failed. After a POST, the service may or may not have acted before it failed.
 *
 * @example
 * ```ts
 * if (error instanceof ServerError) requeueIn(60_000);
 * ```
 */
export class ServerError extends ApiError {
  /** @internal */
  static override readonly [CLASS]: string = 'ServerError';
  declare readonly name: 'ServerError';
}
