import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/**
 * Bytes of each bundle for browsers, minified and gzipped, by name.
 *
 * @param entries What each bundle holds, as the code that imports it.
 * @param resolveDir Where that code would be.
 */
export const bundleSizes = async (
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
      // Some peers know Node's modules: what they would add to a browser's bundle is not counted.
      external: ['node:*', 'crypto', 'child_process', 'http', 'https', 'os', 'events', 'stream', 'util'],
    });
    sizes.set(name, gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length);
  }
  return sizes;
};
