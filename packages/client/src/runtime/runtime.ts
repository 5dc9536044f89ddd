/** Returns true in the window of a browser, but not in its workers. */
export const isBrowser = (): boolean => 'window' in globalThis && 'document' in globalThis;

// Features of Node, Bun and Deno. Everything below does nothing in browsers and Workers.

/** Node's `util.inspect`. */
type Inspect = (value: object, options: object) => string;

/**
 * Makes `console.log` and REPLs show an object in a line or two. Node, Bun and Deno read the symbol.
 *
 * @param show Returns the properties to show.
 */
export const showAs = <Target extends object>(
  target: Target,
  name: string,
  show: (value: Target) => object,
): void => {
  Object.defineProperty(target, Symbol.for('nodejs.util.inspect.custom'), {
    value(this: Target, _depth: number, options: object, inspect: Inspect) {
      return `${name} ${inspect(show(this), options)}`;
    },
  });
};

/** Reads an environment variable. There may be no `process`, and Deno may deny access to the environment. */
export const environment = (name: string): string | undefined => {
  try {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
    return process?.env?.[name];
  } catch {
    return undefined;
  }
};

/** Returns true where Deno would stop the program to ask for a variable, which must not happen for one that is optional. */
export const wouldAsk = (variable: string): boolean => {
  const { Deno } = globalThis as { Deno?: { permissions?: { querySync(of: object): { state: string } } } };
  return Deno?.permissions?.querySync({ name: 'env', variable }).state === 'prompt';
};
