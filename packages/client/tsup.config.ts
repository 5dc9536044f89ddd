import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Options } from 'tsup';
import { defineConfig } from 'tsup';
import { docsDefine } from '../../scripts/publishing/docs-base.ts';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

const shared = {
  define: { CONFAB_CLIENT_VERSION: JSON.stringify(version), ...docsDefine() },
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  sourcemap: true,
} as const;

/** `src/runtime/elsewhere.ts` in place of `src/runtime/node.ts`, for browsers and Workers. */
const withoutNode: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'leave out what only Node can do',
  setup({ onResolve }) {
    onResolve({ filter: /\/runtime\/node\.ts$/ }, () => ({
      path: fileURLToPath(new URL('src/runtime/elsewhere.ts', import.meta.url)),
    }));
  },
};

const entry = {
  index: 'src/index.ts',
  'ky/index': 'src/ky/index.ts',
  'rate-limit/shared/index': 'src/rate-limit/shared/index.ts',
  'redis/index': 'src/redis/index.ts',
  'opentelemetry/index': 'src/opentelemetry/index.ts',
};

export default defineConfig([
  {
    ...shared,
    entry: { ...entry, 'contract/index': 'src/contract/index.ts' },
    esbuildPlugins: [withoutNode],
    // The other builds write there at the same time.
    clean: ['**/*', '!openapi/**', '!node/**', '!cli/**'],
  },
  {
    ...shared,
    entry: { 'openapi/index': 'src/openapi/index.ts' },
    // It goes through the contract as a whole. Built together, the code that lets it do so would stand in the chunk that
    // all entries share, and cost every bundle 0.3 kB.
    esbuildPlugins: [
      {
        name: 'import our other entries as they are published',
        setup({ onResolve }) {
          onResolve({ filter: /\/contract\/index\.ts$/ }, () => ({
            path: '../contract/index.js',
            external: true,
          }));
          // A copy of an error's class would fail `instanceof`.
          onResolve({ filter: /\/errors\/[\w-]+\.ts$/ }, () => ({ path: '../index.js', external: true }));
        },
      },
    ],
  },
  {
    ...shared,
    // The condition `node`: zod/mini is 70 files, and loading those takes Node longer than everything else. Bundlers for
    // browsers and Workers get the entries above, which share the application's copy of zod.
    outDir: 'dist/node',
    clean: true,
    entry: {
      ...entry,
      'contract/index': 'src/contract/index.ts',
      'openapi/index': 'src/openapi/index.ts',
    },
    noExternal: ['zod'],
    treeshake: true,
  },
  {
    ...shared,
    // A program of its own, in one file: the entries above share chunks, and it would change what goes into them.
    outDir: 'dist/cli',
    entry: { confab: 'src/cli/confab.ts' },
    external: [/^node:/],
    // Deno knows these by no other name.
    removeNodeProtocol: false,
    noExternal: ['commander', 'zod'],
    treeshake: true,
    clean: true,
    splitting: false,
  },
]);
