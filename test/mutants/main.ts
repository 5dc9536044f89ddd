/** Changes the code of the packages in many small ways, and counts the changes that no test notices. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { Argument, program } from 'commander';
import { replaceTables, toMarkdown } from '../../scripts/bench/tables.ts';
import type { Group } from './groups.ts';
import { GROUPS } from './groups.ts';

/** Percent of the mutants that the tests of a package should notice. */
const GOAL = 90;
const ROOT = join(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'docs/proof/mutants.md');

const known = Object.keys(GROUPS);
program
  .name('pnpm test:mutants')
  .description(
    `Runs the tests against small changes of the code, and prints each change after which all of them pass. Exits with 1 if a package scores less than ${GOAL} %.`,
  )
  .addArgument(new Argument('[packages...]').choices(known).default(known, 'all'))
  .option('--files <glob>', 'mutate only these files, and keep the results of the others')
  .option('--force', 'repeat every change, also those whose code and tests are the same as before')
  .option('--write', 'write the scores into docs/proof/mutants.md')
  .showHelpAfterError()
  .parse();
const [packages = known] = program.processedArgs as [string[]?];
const {
  files,
  force = false,
  write = false,
} = program.opts<{
  files?: string;
  force?: true;
  write?: true;
}>();

/** A mutant in the report of Stryker. */
interface Mutant {
  readonly status: string;
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly location: { readonly start: { readonly line: number } };
}

const reportOf = (name: string): string => join(ROOT, `reports/mutants/${name}.json`);

/** Stryker runs in the root, because it copies the folder in which it runs, and the packages need each other. */
const mutate = async (name: string, { mutate, tests }: Group): Promise<void> => {
  process.env.CONFAB_MUTANT_TESTS = tests.map((test) => `${name}/test/${test}`).join(',');
  await new Stryker({
    mutate: files === undefined ? [...mutate] : [files],
    // Texts for people are not behavior.
    mutator: { excludedMutations: ['StringLiteral'], plugins: null },
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutants/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    // A test that hangs fails by itself, and a loop that never ends is counted. Anything else is a slow machine.
    timeoutMS: 20_000,
    // Vitest does not check types, so nothing has to be done about those of a mutant.
    disableTypeChecks: false,
    ignorePatterns: ['/docs', '/examples', '/scripts', 'bench', 'dist', 'inspector'],
    tempDirName: '.stryker-tmp',
    cleanTempDir: 'always',
    force,
    // The groups of a package add their results to one file.
    incremental: true,
    incrementalFile: join(ROOT, `reports/mutants/${name}.incremental.json`),
    reporters: ['html', 'json', 'progress-append-only'],
    htmlReporter: { fileName: join(ROOT, `reports/mutants/${name}.html`) },
    jsonReporter: { fileName: reportOf(name) },
    thresholds: { high: 95, low: GOAL, break: null },
  }).runMutationTest();
};

const percent = (killed: number, all: number): string => `${((killed / all) * 100).toFixed(1)} %`;

/** Prints the survivors of a package; returns the table of its scores, and whether it reaches the goal. */
const judge = (name: string) => {
  const report = JSON.parse(readFileSync(reportOf(name), 'utf8')) as {
    readonly files: Readonly<Record<string, { readonly mutants: readonly Mutant[] }>>;
  };
  const counts = new Map<string, { killed: number; all: number }>();
  for (const [path, { mutants }] of Object.entries(report.files)) {
    for (const { status, mutatorName, replacement = '', location } of mutants) {
      const isKilled = status === 'Killed' || status === 'Timeout';
      if (!isKilled && status !== 'Survived' && status !== 'NoCoverage') {
        continue;
      }
      for (const row of [path.slice(0, path.lastIndexOf('/')), 'all']) {
        const { killed, all } = counts.get(row) ?? { killed: 0, all: 0 };
        counts.set(row, { killed: killed + Number(isKilled), all: all + 1 });
      }
      if (!isKilled) {
        const change = replacement.replace(/\s+/g, ' ').slice(0, 80);
        console.log(`${path}:${location.start.line} ${mutatorName}: ${change}`);
      }
    }
  }
  const { killed, all } = counts.get('all') ?? { killed: 0, all: 0 };
  counts.delete('all');
  const row = (title: string, one: { killed: number; all: number }) => [
    title,
    String(one.all),
    String(one.killed),
    percent(one.killed, one.all),
  ];
  return {
    reachesGoal: killed / all >= GOAL / 100,
    table: {
      columns: [`@confab/${name}`, 'mutants', 'noticed', 'score'],
      rows: [...[...counts].map(([folder, one]) => row(`\`${folder}\``, one)), row('all', { killed, all })],
    },
  };
};

process.chdir(ROOT);
for (const name of packages) {
  const groups = (GROUPS[name] ?? []).filter(
    ({ mutate }) => files === undefined || mutate.some((pattern) => matchesGlob(files, pattern)),
  );
  if (groups.length === 0) {
    program.error(`No group of ${name} in test/mutants/groups.ts has the files ${files}.`);
  }
  for (const group of groups) {
    await mutate(name, group);
  }
  const { table, reachesGoal } = judge(name);
  console.log(`\n${toMarkdown(table)}\n`);
  if (write) {
    writeFileSync(PAGE, replaceTables(readFileSync(PAGE, 'utf8'), [table]));
  }
  if (!reachesGoal) {
    console.error(`@confab/${name} scores less than ${GOAL} %.`);
    process.exitCode = 1;
  }
}
