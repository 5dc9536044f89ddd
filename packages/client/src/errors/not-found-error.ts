import { ApiError } from './api-error.ts';

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
  override readonly name = 'NotFoundError';
}
