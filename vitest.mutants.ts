import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import type { TestSequencer, TestSpecification } from 'vitest/node';
import { shared } from './vitest.shared.ts';

const internal = fileURLToPath(new URL('packages/internal/src', import.meta.url));

/**
 * The tests that a mutant of a package has to pass: those that own its behavior. Anything that is slow, or loads much,
 * would run again for each of many hundred mutants.
 */
export const testsForMutants = (root: string, names: readonly string[]) => {
  const placeOf = ({ moduleId }: TestSpecification) => names.indexOf(basename(moduleId, '.test.ts'));
  // The first test that fails ends the run of a mutant.
  class InThisOrder implements TestSequencer {
    shard = (files: TestSpecification[]) => files;
    sort = (files: TestSpecification[]) => files.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
  return defineConfig({
    ...shared,
    root,
    resolve: {
      ...shared.resolve,
      // Stryker mutates a copy of the repository, in which links between packages lead back to the original.
      alias: [
        { find: /^@confab\/internal$/, replacement: `${internal}/index.ts` },
        { find: /^@confab\/internal\/cli$/, replacement: `${internal}/cli/index.ts` },
      ],
    },
    test: {
      ...shared.test,
      setupFiles: [fileURLToPath(new URL('vitest.mutants.setup.ts', import.meta.url))],
      include: names.map((name) => `test/${name}.test.ts`),
      sequence: { sequencer: InThisOrder },
      isolate: false,
      // Many mutants make a test wait forever. It fails sooner than Stryker would replace the process.
      testTimeout: 2_500,
    },
  });
};
