import { ApiError } from './api-error.ts';
import { CLASS } from './confab-error.ts';

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
  override readonly name = 'AuthenticationError';
}
