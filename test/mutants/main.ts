/** Changes the code of the packages in many small ways, and counts the changes that a test notices. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { Argument, Option, program } from 'commander';

/** The percentage of mutants that the tests of a package should notice. */
const GOAL = 90;
const ROOT = join(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'docs/proof/mutants.md');

/** The most important code, by package. */
const MUTATED: Readonly<Record<string, readonly string[]>> = {
  client: [
    'packages/client/src/options/resolve-options.ts',
    'packages/client/src/call/{attempt,call-errors,check-response,connect-failure,describe-body,fetch-failure,receive-response,retry}.ts',
    'packages/client/src/secrecy/safe-cause.ts',
    'packages/client/src/{lists,rate-limit}/**/*.ts',
    'packages/internal/src/secrecy/*.ts',
  ],
  webhooks: [
    'packages/webhooks/src/{body,decompress,event,handlers,headers,queue,receive}.ts',
    'packages/webhooks/src/{dedupe,signature}/*.ts',
  ],
  mock: [
    'packages/mock/src/control/access.ts',
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
  .addOption(new Option('--write', 'write the scores into docs/proof/mutants.md').conflicts('files'))
  .showHelpAfterError()
  .parse();
const [packages = known] = program.processedArgs as [string[]?];
const { files, write } = program.opts<{ files?: string; write?: true }>();

/**
 * Tests the mutants of a package, and prints those that survive. Stryker runs in the root, because it copies the folder in
 * which it runs, and the packages need each other.
 */
const mutate = async (name: string) => {
  process.env.CONFAB_MUTANT_PACKAGE = name;
  const mutants = await new Stryker({
    mutate: files === undefined ? [...(MUTATED[name] ?? [])] : [files],
    // Texts for people are not behavior.
    mutator: { excludedMutations: ['StringLiteral'], plugins: null },
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutants/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    // Tests that hang fail by themselves, and Stryker detects endless loops. Only a slow machine needs more time.
    timeoutMS: 20_000,
    // Vitest does not check types, so wrong types of mutants do no harm.
    disableTypeChecks: false,
    ignorePatterns: ['/docs/*', '!/docs/guides', '/examples', '/scripts', 'bench', 'dist', 'inspector'],
    tempDirName: '.stryker-tmp',
    cleanTempDir: 'always',
    incremental: true,
    incrementalFile: join(ROOT, `reports/mutants/${name}.json`),
    reporters: ['html', 'clear-text', 'progress-append-only'],
    clearTextReporter: { logTests: false, reportTests: false },
    htmlReporter: { fileName: join(ROOT, `reports/mutants/${name}.html`) },
    thresholds: { high: 95, low: GOAL, break: null },
  }).runMutationTest();
  const tested = mutants.filter(({ status }) => /^(?:Killed|Timeout|Survived|NoCoverage)$/.test(status));
  const noticed = tested.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  return { tested: tested.length, noticed, percent: (noticed / tested.length) * 100 };
};

process.chdir(ROOT);
for (const name of packages) {
  const { tested, noticed, percent } = await mutate(name);
  const row = `| \`@confab/${name}\` | ${tested} | ${noticed} | ${percent.toFixed(1)} % |`;
  console.log(row);
  if (write) {
    const page = readFileSync(PAGE, 'utf8');
    writeFileSync(PAGE, page.replace(new RegExp(`^\\| \`@confab/${name}\` .*$`, 'm'), row));
  }
  if (percent < GOAL) {
    console.error(`@confab/${name} scores less than ${GOAL} %.`);
    process.exitCode = 1;
  }
}
