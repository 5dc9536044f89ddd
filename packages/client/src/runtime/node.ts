/**
 * What Node, Bun and Deno offer and browsers and Workers do not. The build without the condition `node` contains
 * `elsewhere.ts` instead, so none of this costs a browser a byte. Nothing here may need Node to be imported: tests and
 * bundlers read this file for other runtimes, too.
 */

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
