import type { OperationId } from '../contract/types/index.ts';
import { ConfabError } from './confab-error.ts';

/** What is known of a response that says no. */
export interface ApiErrorFacts {
  readonly status: number;
  readonly code: string;
  readonly detail: string | undefined;
  readonly operation: OperationId;
  readonly attempts: number;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The API answered, and said no. Subclasses go by status; any other status is an `ApiError` itself.
 *
 * @example
 * ```ts
 * if (error instanceof ApiError && error.status === 422) report(error.operation, error.code);
 * ```
 */
export class ApiError extends ConfabError implements ApiErrorFacts {
  override readonly name: string = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  /** The `code` of the error body, or `HTTP_<status>` when the body carries none. */
  override readonly code: string;
  /**
   * What the service says itself, the `error` of the error body: at most 1,000 characters, the key taken out.
   * Undefined when the body is no error of the API's.
   */
  readonly detail: string | undefined;
  /** Which operation was refused: `leads.create`. */
  readonly operation: OperationId;
  /** How often the request was sent. */
  readonly attempts: number;
  /** Response headers, lower case, without cookies. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(message: string, facts: ApiErrorFacts) {
    super(message);
    this.status = facts.status;
    this.code = facts.code;
    this.detail = facts.detail;
    this.operation = facts.operation;
    this.attempts = facts.attempts;
    this.headers = facts.headers;
  }
}

/**
 * 400: the API found the parameters invalid.
 *
 * @example
 * ```ts
 * if (error instanceof BadRequestError) report(error.detail); // 'phone is not a valid number'
 * ```
 */
export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError';
}

/**
 * 401: the key is missing (`API_KEY_REQUIRED`) or invalid (`API_KEY_INVALID`).
 *
 * @example
 * ```ts
 * if (error instanceof AuthenticationError) report('the key was revoked?', error.code);
 * ```
 */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}

/**
 * 403: the key is valid and lacks a scope.
 *
 * @example
 * ```ts
 * if (error instanceof PermissionError) report('the key needs', error.missingScope);
 * ```
 */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError';
  /** The scope that the error text names: `write:leads`. Undefined when it names none. */
  readonly missingScope: string | undefined;

  constructor(message: string, facts: ApiErrorFacts & { missingScope: string | undefined }) {
    super(message, facts);
    this.missingScope = facts.missingScope;
  }
}

/**
 * 404: no such resource.
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
  override readonly name = 'NotFoundError';
}

/**
 * 409: the resource already exists. `confab.leads.ensure` finds the lead that does.
 *
 * @example
 * ```ts
 * if (error instanceof ConflictError) report('known already', error.detail);
 * ```
 */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}

/**
 * 429: the rate limit was exceeded, and waiting was not allowed or would have taken too long.
 *
 * @example
 * ```ts
 * if (error instanceof RateLimitError) requeueIn(error.retryAfterMs ?? 60_000);
 * ```
 */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
  /** Requests that the key may make in a minute, from `X-RateLimit-Limit`. */
  readonly limit: number | undefined;
  /** Requests left, from `X-RateLimit-Remaining`. */
  readonly remaining: number | undefined;
  /** Milliseconds to wait, from `Retry-After`. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    facts: ApiErrorFacts & {
      limit: number | undefined;
      remaining: number | undefined;
      retryAfterMs: number | undefined;
    },
  ) {
    super(message, facts);
    this.limit = facts.limit;
    this.remaining = facts.remaining;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/**
 * 5xx: the service failed. After a POST nobody can say whether it acted before that.
 *
 * @example
 * ```ts
 * if (error instanceof ServerError) requeueIn(60_000);
 * ```
 */
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
}
