import type { Options } from 'tsup';
import { defineConfig } from 'tsup';
import { docsDefine } from '../../scripts/publishing/docs-base.ts';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** Part of `@msw/data` needs it, but not what we use: it is left out once it is said to have no side effects. */
const unusedMutative: Plugin = {
  name: 'unused-mutative',
  setup(build) {
    build.onResolve({ filter: /^mutative$/ }, async ({ path, pluginData, ...options }) => {
      if (pluginData === 'seen') {
        return undefined;
      }
      const resolved = await build.resolve(path, { ...options, pluginData: 'seen' });
      return { path: resolved.path, sideEffects: false };
    });
  },
};

export default defineConfig({
  entry: [
    'src/index.ts',
    'src/server/index.ts',
    'src/remote/index.ts',
    'src/matchers/index.ts',
    'src/playwright/index.ts',
    'src/playwright/route-mock.ts',
    'src/vitest/index.ts',
    'src/cli/confab-mock.ts',
  ],
  define: docsDefine(),
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/],
  // Deno knows these by no other name.
  removeNodeProtocol: false,
  // We use 140 kB of what would be 32 MB and 400 modules to install and to load.
  noExternal: ['@confab/client/openapi.json', '@msw/data', 'commander', 'libphonenumber-js'],
  esbuildPlugins: [unusedMutative],
  treeshake: true,
  sourcemap: true,
  clean: true,
});
