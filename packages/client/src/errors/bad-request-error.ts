import { ApiError } from './api-error.ts';
import { CLASS } from './confab-error.ts';

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
  override readonly name = 'BadRequestError';
}
