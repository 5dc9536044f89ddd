/** JSON leaves out `message` and `cause`, which are not enumerable. */
const toPlain = (error: Error): object => {
  const { name, message, cause } = error;
  return Object.assign({ name, message }, error, cause instanceof Error ? { cause: toPlain(cause) } : {});
};

/**
 * The base class of every error in this package.
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
  /** The name of the class. */
  abstract override readonly name: string;
  /** Identifies the kind of error for programs. It does not change between versions. */
  abstract readonly code: string;

  /** @param fields Assigned to the error. Subclasses only declare them, which keeps bundles small. */
  constructor(message: string, fields: object = {}, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    Object.assign(this, fields);
  }

  /**
   * Returns the error as plain data for `JSON.stringify` and structured logs: its name, message, code, own fields and
   * causes. The stack is left out.
   */
  toJSON(): object {
    return toPlain(this);
  }
}
