import { docsUrlOf, isError } from '@confab/internal';

/** Maximum number of nested causes in JSON. The causes of foreign errors may form a cycle. */
const MAX_CAUSES = 5;

/** Adds `name`, `message` and `cause`, which JSON leaves out because they are not enumerable. */
const toPlain = (error: Error, causes = MAX_CAUSES): object => {
  const { name, message, cause } = error;
  return {
    name,
    message,
    // A foreign error may contain anything, such as cycles or the key.
    ...(error instanceof ConfabError ? error : { code: Reflect.get(error, 'code') }),
    ...(isError(cause) && causes > 0 ? { cause: toPlain(cause, causes - 1) } : {}),
  };
};

/** Names the class of an error. The symbol is the same in every copy of this package. */
export const CLASS: unique symbol = Symbol.for('confab.errorClass') as never;

const nameOf = (errorClass: object): unknown =>
  Object.hasOwn(errorClass, CLASS) ? Reflect.get(errorClass, CLASS) : undefined;

/** Returns the class of an object and its superclasses. */
const classesOf = (value: unknown): readonly object[] => {
  const prototype = Object(value) === value ? Object.getPrototypeOf(value) : null;
  return prototype === null ? [] : [Object(prototype.constructor), ...classesOf(prototype)];
};

const isInstance = (value: unknown, errorClass: object): boolean => {
  const name = nameOf(errorClass);
  // A user's subclass has no name here, and exists only once.
  return name === undefined
    ? Function.prototype[Symbol.hasInstance].call(errorClass, value)
    : classesOf(value).some((each) => nameOf(each) === name);
};

/**
 * The base class of every error in this package.
 *
 * `instanceof` also recognizes errors of another copy of the package, for this class and for each of its subclasses in
 * the package. A dependency may bring a copy of its own.
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
  /** @internal */
  static readonly [CLASS]: string = 'ConfabError';

  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: In a subclass, `this` is the subclass.
    return isInstance(value, this);
  }

  /** The name of the class. */
  abstract override readonly name: string;
  /** Identifies the kind of error for programs. It does not change between versions. */
  abstract readonly code: string;
  /**
   * Whether the service may have carried out the call although it failed: the connection was lost, the time ran out, or a
   * 5xx came, in this attempt or an earlier one. False if nothing was sent, if the service refused the request, and for
   * calls that only read. An aborted call rejects with the reason of its signal, which usually lacks this property.
   *
   * @example
   * ```ts
   * if (error instanceof ConfabError && !error.mayHaveActed) requeueIn(60_000); // a second attempt cannot act twice
   * ```
   */
  readonly mayHaveActed: boolean = false;

  /** @param init The cause and the fields of the error. Subclasses only declare these, which keeps bundles small. */
  constructor(
    message: string,
    { cause, ...fields }: { readonly cause?: unknown; readonly [field: string]: unknown } = {},
  ) {
    super(message, cause === undefined ? {} : { cause });
    Object.assign(this, { name: new.target[CLASS] }, fields);
  }

  /**
   * The address of the page that explains this `code`, or `undefined` in a build that was not released.
   */
  get docsUrl(): string | undefined {
    // The server chooses the code of an `ApiError`.
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

/**
 * Returns true for an error of this package, even one of another copy of it.
 *
 * @example
 * ```ts
 * if (isConfabError(error)) console.error(error.code, error.message);
 * ```
 */
export const isConfabError = (error: unknown): error is ConfabError => error instanceof ConfabError;

/** Adds the body of a response to an error. Loggers skip it because it is not enumerable: it may hold personal data. */
export const addBody = (error: object, body: string | undefined): void => {
  Object.defineProperty(error, 'body', { value: body });
};

/** Where the user's code called the client. The runtime formats its stack only if something fails. */
export type CallSite = Error;

/** Lines of a call site's stack that belong to the client: in V8 the name `Error` and one frame, elsewhere two frames. */
const OWN_LINES = 2;

/**
 * Adds the caller's frames to the stack of an error, because an error that is thrown after a response arrived lacks them.
 * Only errors of this package are changed: the reason of an abort belongs to the caller.
 */
export const addCallSite = (error: unknown, site: CallSite): unknown => {
  if (error instanceof ConfabError && error.stack !== undefined && site.stack !== undefined) {
    for (const frame of site.stack.split('\n').slice(OWN_LINES)) {
      // An error thrown during the call itself, or reported twice, already has the frames.
      if (!error.stack.includes(frame)) {
        error.stack += `\n${frame}`;
      }
    }
  }
  return error;
};
