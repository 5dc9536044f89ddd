import { CLASS, ConfabError } from './confab-error.ts';

/**
 * An import stopped because too many rows failed without a success in between. `cause` is the error of the last row.
 *
 * @example
 * ```ts
 * if (error instanceof ImportStoppedError) report(error.message, error.cause);
 * ```
 */
export class ImportStoppedError extends ConfabError {
  /** @internal */
  static override readonly [CLASS]: string = 'ImportStoppedError';
  override readonly name = 'ImportStoppedError';
  override readonly code = 'IMPORT_STOPPED';
}
