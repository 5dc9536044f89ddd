import { defineConfig } from 'tsup';

const shared = {
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  sourcemap: true,
} as const;

export default defineConfig([
  {
    ...shared,
    entry: { index: 'src/index.ts', 'contract/index': 'src/contract/index.ts' },
    // The other build writes there at the same time.
    clean: ['**/*', '!openapi/**'],
  },
  {
    ...shared,
    entry: { 'openapi/index': 'src/openapi/index.ts' },
    // It goes through the contract as a whole. Built together, the code that lets it do so would stand in the chunk that
    // all entries share, and cost every bundle 0.3 kB.
    esbuildPlugins: [
      {
        name: 'import the contract as it is published',
        setup(build) {
          build.onResolve({ filter: /\/contract\/index\.ts$/ }, () => ({
            path: '../contract/index.js',
            external: true,
          }));
        },
      },
    ],
  },
]);
