import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Without this, vitest leaves one core to itself: of two, that is half of the machine.
    maxWorkers: '100%',
    projects: ['packages/*', 'examples/*', 'docs'],
  },
});
