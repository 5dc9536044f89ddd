import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** What a bundle holds, as the code that imports it. */
const ENTRIES = {
  '`createWebhooks`': `export { createWebhooks } from '../dist/index.js'`,
  '`sign` alone': `export { sign } from '../dist/index.js'`,
  standardwebhooks: `export { Webhook } from 'standardwebhooks'`,
  svix: `export { Webhook } from 'svix'`,
  '@octokit/webhooks-methods': `export { verify } from '@octokit/webhooks-methods'`,
  stripe: `export { default } from 'stripe'`,
};

/** Bytes of each bundle, minified and gzipped. */
export const measureSizes = async (): Promise<[name: string, bytes: number][]> => {
  const sizes: [string, number][] = [];
  for (const [name, contents] of Object.entries(ENTRIES)) {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: import.meta.dirname },
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      logLevel: 'error',
      platform: 'browser',
      // Some peers know only Node's crypto: what they would add to a browser's bundle is not counted.
      external: ['node:*', 'crypto', 'child_process', 'http', 'https', 'os', 'events', 'stream', 'util'],
    });
    sizes.push([name, gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length]);
  }
  return sizes;
};
