import type { ApiErrorInit } from './api-error.ts';
import { ApiError } from './api-error.ts';
import { CLASS } from './confab-error.ts';

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
  override readonly name = 'RateLimitError';
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
