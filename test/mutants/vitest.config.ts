import { join } from 'node:path';
import { defineConfig, mergeConfig } from 'vitest/config';
import { shared } from '../../vitest.config.ts';

const packages = join(import.meta.dirname, '../../packages');

export default mergeConfig(
  shared,
  defineConfig({
    root: packages,
    resolve: {
      // Stryker mutates a copy of the repository, in which the links between packages lead to the original.
      alias: [
        { find: /^@confab\/internal$/, replacement: join(packages, 'internal/src/index.ts') },
        { find: /^@confab\/internal\/cli$/, replacement: join(packages, 'internal/src/cli/index.ts') },
      ],
    },
    test: {
      setupFiles: [join(import.meta.dirname, 'setup.ts')],
      // Set by `pnpm test:mutants`.
      include: [`${process.env.CONFAB_MUTANT_PACKAGE}/test/**/*.test.ts`],
      // The tests of boundaries wait for one another, and Stryker runs one test at a time.
      exclude: ['**/*.slow.test.ts', '**/client-suite/**', '**/boundary.test.ts'],
      isolate: false,
      // Many mutants make a test wait forever. It fails sooner than Stryker would replace the process.
      testTimeout: 10_000,
    },
  }),
);
