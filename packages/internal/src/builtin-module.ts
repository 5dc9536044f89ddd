/**
 * Returns a built-in module of Node, or undefined on runtimes without it. It is looked up at run time, because an import
 * would break bundles for browsers and Workers.
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
    // The edge runtime of Next.js has the property, but it throws.
    return undefined;
  }
};
