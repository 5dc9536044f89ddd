import { ApiError } from './api-error.ts';

/**
 * 400: the API rejected the parameters as invalid.
 *
 * @example
 * ```ts
 * if (error instanceof BadRequestError) report(error.detail); // 'phone is not a valid number'
 * ```
 */
export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError';
}
