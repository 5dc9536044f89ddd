/**
 * Returns a module of Node, or undefined on runtimes without it. It is asked for at run time, because an import would
 * break bundles for browsers and Workers.
 *
 * @param name Such as `node:crypto`.
 * @example
 * ```ts
 * const crypto = builtinModule('node:crypto') as NodeCrypto | undefined;
 * ```
 */
export const builtinModule = (name: string): unknown => {
  try {
    const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
    return process?.getBuiltinModule?.(name);
  } catch {
    // In the edge runtime of Next, the property is there, and throws.
    return undefined;
  }
};
