import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Tests of the built site in a browser. They need `pnpm run docs --base /confab/` first. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    name: 'built site',
    include: ['test/built/*.spec.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // Most of the time, these tests wait for a browser.
    maxWorkers: '100%',
  },
});
