import { defineConfig } from 'vitest/config';

/** Tests of the built site in a browser: `pnpm test:site` builds it first. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    name: 'built site',
    include: ['test/built/*.spec.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // Most of the time, these tests wait for a browser.
    maxWorkers: '100%',
  },
});
