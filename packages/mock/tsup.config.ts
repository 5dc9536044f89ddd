import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/index.ts', 'src/server/index.ts', 'src/vitest/index.ts', 'src/cli/confab-mock.ts'],
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/],
  sourcemap: true,
  clean: true,
});
