/** Changes the code of the packages in many small ways, and counts the changes that no test notices. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { Argument, program } from 'commander';
import { replaceTables, toMarkdown } from '../../scripts/bench/tables.ts';

/** Percent of the mutants that the tests of a package should notice. */
const GOAL = 90;
const ROOT = join(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'docs/proof/mutants.md');

/** The code that must not be wrong, by package. */
const MUTATED: Readonly<Record<string, readonly string[]>> = {
  client: [
    'packages/client/src/options/resolve-options.ts',
    'packages/client/src/call/{attempt,call-errors,connect-failure,response,retry}.ts',
    'packages/client/src/errors/redaction.ts',
    'packages/client/src/{lists,rate-limit}/**/*.ts',
    'packages/internal/src/secrecy/*.ts',
  ],
  webhooks: [
    'packages/webhooks/src/{body,event,handlers,headers,queue,receive}.ts',
    'packages/webhooks/src/{dedupe,signature}/*.ts',
  ],
  mock: [
    'packages/mock/src/server/admin.ts',
    'packages/mock/src/world/keys/*.ts',
    'packages/mock/src/world/store/{collection,row-check,store,table}.ts',
    'packages/internal/src/sliding-window.ts',
  ],
};

const known = Object.keys(MUTATED);
program
  .name('pnpm test:mutants')
  .description(
    `Runs the tests against small changes of the code, and prints each change after which all of them pass. Exits with 1 if a package scores less than ${GOAL} %.`,
  )
  .addArgument(new Argument('[packages...]').choices(known).default(known, 'all'))
  .option('--files <glob>', 'mutate only these files, and keep the results of the others')
  .option('--write', 'write the scores into docs/proof/mutants.md')
  .showHelpAfterError()
  .parse();
const [packages = known] = program.processedArgs as [string[]?];
const { files, write } = program.opts<{ files?: string; write?: true }>();

/** A mutant in the report of Stryker. */
interface Mutant {
  readonly status: string;
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly location: { readonly start: { readonly line: number } };
}

const reportOf = (name: string): string => join(ROOT, `reports/mutants/${name}.json`);

/** Stryker runs in the root, because it copies the folder in which it runs, and the packages need each other. */
const mutate = async (name: string): Promise<void> => {
  process.env.CONFAB_MUTANT_PACKAGE = name;
  await new Stryker({
    mutate: files === undefined ? [...(MUTATED[name] ?? [])] : [files],
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
    incremental: true,
    incrementalFile: join(ROOT, `reports/mutants/${name}.incremental.json`),
    reporters: ['html', 'json', 'progress-append-only'],
    htmlReporter: { fileName: join(ROOT, `reports/mutants/${name}.html`) },
    jsonReporter: { fileName: reportOf(name) },
    thresholds: { high: 95, low: GOAL, break: null },
  }).runMutationTest();
};

/** Prints the survivors of a package; returns the rows of its table, and its score in percent. */
const judge = (name: string) => {
  const report = JSON.parse(readFileSync(reportOf(name), 'utf8')) as {
    readonly files: Readonly<Record<string, { readonly mutants: readonly Mutant[] }>>;
  };
  const mutants = Object.entries(report.files)
    .flatMap(([path, { mutants }]) => mutants.map((mutant) => ({ ...mutant, path })))
    .filter(({ status }) => /^(?:Killed|Timeout|Survived|NoCoverage)$/.test(status))
    .map((mutant) => ({ ...mutant, isNoticed: /^(?:Killed|Timeout)$/.test(mutant.status) }));
  for (const { path, location, mutatorName, replacement = '', isNoticed } of mutants) {
    if (!isNoticed) {
      const change = replacement.replace(/\s+/g, ' ').slice(0, 80);
      console.log(`${path}:${location.start.line} ${mutatorName}: ${change}`);
    }
  }
  const scoreOf = (some: typeof mutants) => {
    const noticed = some.filter(({ isNoticed }) => isNoticed).length;
    return { noticed, percent: (noticed / some.length) * 100 };
  };
  const row = (title: string, some: typeof mutants) => {
    const { noticed, percent } = scoreOf(some);
    return [title, `${some.length}`, `${noticed}`, `${percent.toFixed(1)} %`];
  };
  const folders = new Set(mutants.map(({ path }) => dirname(path)));
  const rows = [...folders].map((folder) => {
    const some = mutants.filter(({ path }) => dirname(path) === folder);
    return row(`\`${folder}\``, some);
  });
  return { rows: [...rows, row('all', mutants)], percent: scoreOf(mutants).percent };
};

process.chdir(ROOT);
for (const name of packages) {
  await mutate(name);
  const { rows, percent } = judge(name);
  const table = { columns: [`@confab/${name}`, 'mutants', 'noticed', 'score'], rows };
  console.log(`\n${toMarkdown(table)}\n`);
  if (write) {
    writeFileSync(PAGE, replaceTables(readFileSync(PAGE, 'utf8'), [table]));
  }
  if (percent < GOAL) {
    console.error(`@confab/${name} scores less than ${GOAL} %.`);
    process.exitCode = 1;
  }
}
