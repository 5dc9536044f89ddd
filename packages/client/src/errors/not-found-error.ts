import { ApiError } from './api-error.ts';
import { CLASS } from './confab-error.ts';

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
  override readonly name = 'NotFoundError';
}
