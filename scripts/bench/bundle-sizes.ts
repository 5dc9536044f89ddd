import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/**
 * Computes the bytes of bundles for browsers, minified and gzipped, by name.
 *
 * @param entries The code of each bundle, by its name.
 * @param resolveDir The folder from which that code imports.
 */
export const measureBundles = async (
  entries: Readonly<Record<string, string>>,
  resolveDir: string,
): Promise<Map<string, number>> => {
  const sizes = new Map<string, number>();
  for (const [name, contents] of Object.entries(entries)) {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir },
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      target: 'es2022',
      platform: 'browser',
      logLevel: 'error',
      // Some peers import modules of Node, which do not count in a bundle for browsers.
      external: ['node:*', 'crypto', 'child_process', 'http', 'https', 'os', 'events', 'stream', 'util'],
    });
    sizes.set(name, gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length);
  }
  return sizes;
};
