import { docsUrlOf } from '@confab/internal';

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
   * The address of the page that explains this `code`, or `undefined` in a build that was not released.
   */
  get docsUrl(): string | undefined {
    // The code of an `ApiError` is a stranger's.
    return docsUrlOf(/^\w+$/.test(this.code) ? this.code : '');
  }

  /**
   * Returns the error as plain data for `JSON.stringify` and structured logs: its name, message, code, `docsUrl`, own
   * fields and causes. The stack is left out.
   */
  toJSON(): object {
    return { ...toPlain(this), docsUrl: this.docsUrl };
  }
}
