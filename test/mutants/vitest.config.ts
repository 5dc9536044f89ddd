import { join } from 'node:path';
import { defineConfig, mergeConfig } from 'vitest/config';
import type { TestSequencer, TestSpecification } from 'vitest/node';
import { shared } from '../../vitest.config.ts';

// Set by `pnpm test:mutants`: test files in the order in which they run, such as mock/test/keys.
const tests = process.env.CONFAB_MUTANT_TESTS?.split(',') ?? [];

const placeOf = ({ moduleId }: TestSpecification) =>
  tests.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));

class InThisOrder implements TestSequencer {
  shard = (files: TestSpecification[]) => files;
  sort = (files: TestSpecification[]) => files.toSorted((a, b) => placeOf(a) - placeOf(b));
}

const packages = join(import.meta.dirname, '../../packages');

export default mergeConfig(
  shared,
  defineConfig({
    root: packages,
    resolve: {
      // Stryker mutates a copy of the repository, in which links between packages lead back to the original.
      alias: [
        { find: /^@confab\/internal$/, replacement: join(packages, 'internal/src/index.ts') },
        { find: /^@confab\/internal\/cli$/, replacement: join(packages, 'internal/src/cli/index.ts') },
      ],
    },
    test: {
      setupFiles: [join(import.meta.dirname, 'setup.ts')],
      include: tests.map((name) => `${name}.test.ts`),
      sequence: { sequencer: InThisOrder },
      isolate: false,
      // Many mutants make a test wait forever. It fails sooner than Stryker would replace the process.
      testTimeout: 10_000,
    },
  }),
);
