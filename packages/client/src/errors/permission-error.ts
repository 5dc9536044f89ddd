import type { ApiErrorInit } from './api-error.ts';
import { ApiError } from './api-error.ts';
import { CLASS } from './confab-error.ts';

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
  override readonly name = 'PermissionError';
  /** The scope named in the error text, such as `write:leads`. Undefined when it names none. */
  declare readonly missingScope: string | undefined;

  constructor(message: string, init: ApiErrorInit & { missingScope: string | undefined }) {
    super(message, init);
  }
}
