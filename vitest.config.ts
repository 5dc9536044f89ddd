import { defineConfig } from 'vitest/config';
import { clientOnHosts } from './packages/mock/test/client-suite/projects.ts';

export default defineConfig({
  test: {
    projects: ['packages/*', 'examples/*', 'docs', ...clientOnHosts],
  },
});
