/** What Node's `util.inspect` passes along. */
type Inspect = (value: object, options: object) => string;

/**
 * Makes `console.log` and REPLs show a value in a line or two. The symbol is Node's; Bun knows it as well, and nothing
 * else looks at it.
 *
 * @param show What is worth seeing of the value.
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
