/**
 * Changes the code of the packages, or of those named as arguments, in many small ways, and counts the changes that no test
 * notices: docs/proof/mutants.md. Exits with 1 if a package misses its floor.
 */
import { globSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { FLOOR, incrementalFileOf, optionsOf } from '../stryker.shared.ts';
import { changedFiles, commitOf } from './mutants/changed-files.ts';
import { forgetSurvivors } from './mutants/forget-survivors.ts';
import type { Job } from './mutants/jobs.ts';
import { isMutated, jobsOf, PACKAGES } from './mutants/jobs.ts';
import type { Report } from './mutants/read-report.ts';
import { describeSurvivors, percentOf, readReport, sumOf } from './mutants/read-report.ts';
import { writePage } from './mutants/write-page.ts';

/** Files that `--changed` mutates at most, so that a change has to wait for minutes, not for an hour. */
const MOST_FILES = 6;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: 'boolean', default: false },
    since: { type: 'string' },
    files: { type: 'string', multiple: true },
    force: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    concurrency: { type: 'string' },
  },
});

const fail = (message: string): never => {
  console.error(message);
  process.exit(2);
};

const unknown = positionals.filter((name) => !PACKAGES.includes(name));
if (unknown.length > 0) {
  fail(`Unknown package ${unknown.join(', ')}. Available: ${PACKAGES.join(', ')}.`);
}
const onlyChanged = values.changed || values.since !== undefined;
if (onlyChanged && (values.write || values.files)) {
  fail('--changed and --since decide which files are mutated: leave out --files and --write.');
}
if (values.since !== undefined && commitOf(values.since) === undefined) {
  fail(`--since must be a commit of this repository, got ${JSON.stringify(values.since)}.`);
}
const packages = positionals.length > 0 ? positionals : PACKAGES;

/** Lists the changed files to mutate; those with the most changed lines come first. */
const filesOfChange = (): string[] => {
  const changed = changedFiles(values.since);
  if (changed === undefined) {
    console.log('There is no commit to compare with.');
  }
  const paths = (changed ?? [])
    .map(({ path }) => path)
    .filter((path) => packages.some((name) => isMutated(name, path)));
  const left = paths.splice(MOST_FILES);
  if (left.length > 0) {
    console.log(`Left out, because --changed mutates at most ${MOST_FILES} files: ${left.join(', ')}.`);
  }
  return paths;
};

const run = async ({ name, mutate, tests }: Job): Promise<void> => {
  process.env.CONFAB_MUTANT_TESTS = tests
    .map((test) => (test.includes('/') ? test : `${name}/test/${test}`))
    .join(',');
  // The results of a change must not replace those of all files.
  const report = onlyChanged ? `${name}.changed` : name;
  const { concurrency } = values;
  const options = optionsOf(report, mutate);
  await new Stryker({
    ...options,
    force: values.force || onlyChanged,
    ...(concurrency !== undefined && { concurrency: Number(concurrency) }),
  }).runMutationTest();
};

const chosen = onlyChanged ? filesOfChange() : values.files && globSync(values.files);
const missed: string[] = [];
for (const name of packages) {
  const jobs = jobsOf(name, chosen);
  if (jobs.length === 0) {
    console.log(`@confab/${name}: no file to mutate${onlyChanged ? ' has changed' : ' matches'}.`);
    continue;
  }
  const started = performance.now();
  forgetSurvivors(
    incrementalFileOf(name),
    jobs.flatMap(({ mutate }) => mutate),
  );
  for (const job of jobs) {
    await run(job);
  }
  const file = `reports/mutants/${name}${onlyChanged ? '.changed' : ''}.json`;
  const report: Report = readReport(file);
  console.log(describeSurvivors(report).join('\n'));
  const percent = percentOf(sumOf(report.scores)) ?? 100;
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  console.log(`@confab/${name}: ${percent.toFixed(1)} % of the mutants were noticed, in ${minutes} minutes.`);
  if (percent < FLOOR) {
    missed.push(name);
  }
  if (values.write) {
    writePage(name, report);
  }
}
if (missed.length > 0) {
  console.error(`Below the floor of ${FLOOR} %: ${missed.join(', ')}.`);
  process.exitCode = 1;
}
