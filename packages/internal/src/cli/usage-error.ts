import { printable } from './printable.ts';

/** File names can contain line breaks, and names in an untrusted file can contain terminal escapes. */
const toLine = (text: string): string => printable(text.replace(/\s*[\r\n]+\s*/g, ' ').trim());

/**
 * A command was called incorrectly. The command prints the message and exits with code 2.
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

  /** @param flags Flags to add to the command, each on a line of its own after the message. */
  constructor(message: string, flags: readonly string[] = []) {
    super([message, ...flags].map(toLine).join('\n  '));
  }
}
