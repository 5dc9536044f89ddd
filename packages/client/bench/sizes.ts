import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** What a bundle holds, as the code that imports it. The first is ours. */
const ENTRIES = {
  '`createClient`': `export { createClient } from '../dist/index.js'`,
  'ky, zod/mini and the contract alone': `export { default } from 'ky'; export * from '../dist/contract/index.js'`,
  ky: `export { default } from 'ky'`,
  openai: `export { default } from 'openai'`,
  stripe: `export { default } from 'stripe'`,
  '@workos-inc/node': `export { WorkOS } from '@workos-inc/node'`,
  resend: `export { Resend } from 'resend'`,
  octokit: `export { Octokit } from 'octokit'`,
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
      target: 'es2022',
      platform: 'browser',
      logLevel: 'error',
      // Some peers know Node's modules: what they would add to a browser's bundle is not counted.
      external: ['node:*', 'crypto', 'child_process', 'http', 'https', 'os', 'events', 'stream', 'util'],
    });
    sizes.push([name, gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length]);
  }
  return sizes;
};
