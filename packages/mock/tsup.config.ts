import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/index.ts', 'src/server/index.ts', 'src/vitest/index.ts', 'src/cli/confab-mock.ts'],
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/],
  // Deno knows these by no other name.
  removeNodeProtocol: false,
  // Its one class in use needs nothing, but importing it loads some 400 modules: half of the time that this
  // package takes to be imported, in every test file.
  noExternal: ['@msw/data'],
  treeshake: true,
  sourcemap: true,
  clean: true,
});
