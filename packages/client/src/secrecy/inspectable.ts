/** Node's `util.inspect`. */
type Inspect = (value: object, options: object) => string;

/**
 * Makes `console.log` and REPLs show an object in a line or two. Node and Bun read the symbol; other runtimes ignore it.
 *
 * @param show Returns the properties to show.
 */
export const inspectable = <Target extends object>(
  target: Target,
  name: string,
  show: (value: Target) => object,
): Target =>
  Object.defineProperty(target, Symbol.for('nodejs.util.inspect.custom'), {
    value(this: Target, _depth: number, options: object, inspect: Inspect) {
      return `${name} ${inspect(show(this), options)}`;
    },
  });
