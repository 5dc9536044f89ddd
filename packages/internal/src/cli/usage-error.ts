import { printable } from './printable.ts';

/**
 * A command was called incorrectly. The command prints the message, one line, and exits with code 2.
 *
 * @example
 * ```ts
 * throw new UsageError('--port must be a whole number from 0 to 65535, got "80a".');
 * ```
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** Stable across versions. */
  readonly code = 'USAGE';

  constructor(message: string) {
    // File names can contain line breaks, and names in an untrusted file can contain terminal escapes.
    super(printable(message.replace(/\s*[\r\n]+\s*/g, ' ').trim()));
  }
}
