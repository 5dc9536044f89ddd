import { ApiError } from './api-error.ts';
import { CLASS } from './confab-error.ts';

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
  override readonly name = 'ConflictError';
}
