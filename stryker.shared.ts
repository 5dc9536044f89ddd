import type { Stryker } from '@stryker-mutator/core';

export type StrykerOptions = ConstructorParameters<typeof Stryker>[0];

/** The score, in percent, that each package has to reach. */
const FLOOR = 90;

/**
 * What the mutation runs of all packages share. Stryker runs in the root, because it copies the folder in which it runs,
 * and the packages need each other.
 *
 * @param mutate Patterns of files, from the root.
 */
export const mutantsOf = (name: string, mutate: string[]): StrykerOptions => ({
  mutate,
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: `packages/${name}/vitest.mutants.config.ts`, related: false },
  coverageAnalysis: 'perTest',
  // Vitest does not check types, so nothing has to be done about those of a mutant.
  disableTypeChecks: false,
  ignorePatterns: ['/docs', '/examples', '/proof', '/scripts', '/site', 'bench', 'dist', 'inspector'],
  cleanTempDir: 'always',
  // A run without changes to a file and to its tests keeps their results.
  incremental: true,
  incrementalFile: `reports/mutants/${name}.incremental.json`,
  reporters: ['clear-text', 'html', 'json', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, skipFull: true },
  htmlReporter: { fileName: `reports/mutants/${name}.html` },
  jsonReporter: { fileName: `reports/mutants/${name}.json` },
  thresholds: { high: 95, low: FLOOR, break: FLOOR },
});
