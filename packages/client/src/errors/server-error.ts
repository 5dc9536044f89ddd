import { ApiError } from './api-error.ts';
import { CLASS } from './confab-error.ts';

/**
 * 5xx: the service failed. After a POST, the service may or may not have acted before it failed.
 *
 * @example
 * ```ts
 * if (error instanceof ServerError) requeueIn(60_000);
 * ```
 */
export class ServerError extends ApiError {
  /** @internal */
  static override readonly [CLASS]: string = 'ServerError';
  override readonly name = 'ServerError';
}
