import { readFileSync } from 'node:fs';

/**
 * Reads the version from the manifest of a package.
 *
 * @param caller The `import.meta.url` of a file two folders below the manifest, in the source and in the build.
 * @example
 * ```ts
 * packageVersion(import.meta.url); // '1.2.3'
 * ```
 */
export const packageVersion = (caller: string): string => {
  const manifest = readFileSync(new URL('../../package.json', caller), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
};
