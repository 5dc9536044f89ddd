import { CLASS, ConfabError } from './confab-error.ts';

/**
 * An option is missing or invalid, so the client cannot be created or cannot send the request.
 *
 * @example
 * ```ts
 * try {
 *   createClient(); // reads CONFAB_BASE_URL and CONFAB_API_KEY
 * } catch (error) {
 *   if (error instanceof ConfigurationError) report(error.message); // names the missing option
 * }
 * ```
 */
export class ConfigurationError extends ConfabError {
  /** @internal */
  static override readonly [CLASS]: string = 'ConfigurationError';
  override readonly name = 'ConfigurationError';
  override readonly code = 'INVALID_CONFIGURATION';
}
