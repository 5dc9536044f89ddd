/** Something wrong with how the command was called: one line for the user, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(message: string) {
    // Paths and what others say may have several lines.
    super(message.replace(/\s*[\r\n]+\s*/g, ' '));
  }
}
