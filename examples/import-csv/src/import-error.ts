/** A problem that the user can solve. Its message is shown without a stack. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  readonly code = 'CANNOT_IMPORT';
}
