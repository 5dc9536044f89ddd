import type { Stryker } from '@stryker-mutator/core';

type StrykerOptions = ConstructorParameters<typeof Stryker>[0];

/** The score, in percent, that each package has to reach. */
export const FLOOR = 90;

/** Files to mutate, and the tests that own their behavior. */
export interface MutantGroup {
  /** Patterns from the root. */
  readonly mutate: readonly string[];
  /**
   * The names of test files of the package, without `.test.ts`, or their paths below `packages/`. The cheapest come first,
   * because the first failure ends a mutant.
   */
  readonly tests: readonly string[];
}

/** Where Stryker keeps the results from which the next run of a package starts. */
export const incrementalFileOf = (name: string): string => `reports/mutants/${name}.incremental.json`;

/** Where Stryker puts its copies of the repository. Two runs at once do not share it. */
export const TEMP_FOLDER = `.stryker-tmp/${process.pid}`;

/**
 * The options with which Stryker tests the mutants of a package. It runs in the root, because it copies the folder in
 * which it runs, and the packages need each other.
 */
export const optionsOf = (name: string, mutate: readonly string[]): StrykerOptions => ({
  mutate: [...mutate],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', './stryker.ignorer.ts'],
  ignorers: ['no-behavior'],
  vitest: { configFile: 'vitest.mutants.config.ts', related: false },
  coverageAnalysis: 'perTest',
  // A test that hangs fails by itself, and a loop that never ends is counted. Anything else is a slow machine.
  timeoutMS: 20_000,
  // Vitest does not check types, so nothing has to be done about those of a mutant.
  disableTypeChecks: false,
  ignorePatterns: ['/docs', '/examples', '/proof', '/scripts', '/site', 'bench', 'dist', 'inspector'],
  tempDirName: TEMP_FOLDER,
  cleanTempDir: 'always',
  // The results of code and tests that have not changed are kept, and those of each group are added to those of others.
  incremental: true,
  incrementalFile: incrementalFileOf(name),
  allowConsoleColors: process.env.NO_COLOR === undefined,
  reporters: ['html', 'json', 'progress-append-only'],
  htmlReporter: { fileName: `reports/mutants/${name}.html` },
  jsonReporter: { fileName: `reports/mutants/${name}.json` },
  // The command checks the floor, once all groups have run.
  thresholds: { high: 95, low: FLOOR, break: null },
});
