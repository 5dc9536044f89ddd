import { ApiError } from './api-error.ts';

/**
 * 409: the resource already exists. `confab.leads.ensure` returns the existing lead instead of throwing.
 *
 * @example
 * ```ts
 * if (error instanceof ConflictError) report('This lead already exists', error.detail);
 * ```
 */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}
