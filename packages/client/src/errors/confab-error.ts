/** `message` and `cause` of an error can't be enumerated, so JSON leaves them out. */
const toPlain = (error: Error): object => {
  const { name, message, cause } = error;
  return Object.assign({ name, message }, error, cause instanceof Error ? { cause: toPlain(cause) } : {});
};

/**
 * What every error of this package extends.
 *
 * @example
 * ```ts
 * try {
 *   await confab.leads.create({ phone });
 * } catch (error) {
 *   if (error instanceof ConfabError) console.error(error.code, error.message);
 * }
 * ```
 */
export abstract class ConfabError extends Error {
  abstract override readonly name: string;
  /** Says what went wrong, for programs: it does not change between versions. */
  abstract readonly code: string;

  /**
   * The error as plain data, for `JSON.stringify` and structured logs: name, message, code, its own fields and those of
   * its causes. `stack` is left out.
   */
  toJSON(): object {
    return toPlain(this);
  }
}
