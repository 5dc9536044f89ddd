import { defineConfig } from 'vitest/config';
import { clientThroughKy } from './packages/client/test/ky-suite/project.ts';
import { clientOnHosts } from './packages/mock/test/client-suite/projects.ts';

/** The client's tests once more through each way into a mock: part of `pnpm check`, since they take as long as all others. */
export default defineConfig({
  test: {
    projects: [...clientOnHosts, clientThroughKy],
  },
});
