/** Changes the code of the packages in many small ways, and counts the changes that no test notices. */
import { rmSync } from 'node:fs';
import { constants } from 'node:os';
import { Stryker } from '@stryker-mutator/core';
import { FLOOR, incrementalFileOf, optionsOf, TEMP_FOLDER } from '../stryker.shared.ts';
import { readCommandLine } from './command/read-command-line.ts';
import { changedLines } from './mutants/changed-lines.ts';
import { forgetSurvivors } from './mutants/forget-survivors.ts';
import type { Job } from './mutants/jobs.ts';
import { isMutated, jobsOf } from './mutants/jobs.ts';
import { MOST_LINES, MUTANTS, parseMutantsOptions } from './mutants/options.ts';
import type { Report } from './mutants/read-report.ts';
import { describeSurvivors, percentOf, readReport, sumOf } from './mutants/read-report.ts';
import { writePage } from './mutants/write-page.ts';

const { packages, onlyChanged, since, files, force, write, concurrency } = readCommandLine(
  MUTANTS,
  parseMutantsOptions,
);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    rmSync(TEMP_FOLDER, { recursive: true, force: true, maxRetries: 3 });
    process.exit(128 + constants.signals[signal]);
  });
}

/** Lists the changed lines to mutate, as Stryker names them. */
const linesOfChange = (): string[] => {
  const changed = changedLines(since);
  if (changed === undefined) {
    console.log(
      'Nothing is mutated, because this clone has no commit to compare with. Fetch more of the history.',
    );
  }
  const chosen: string[] = [];
  let lines = 0;
  for (const { path, from, to } of changed ?? []) {
    if (!packages.some((name) => isMutated(name, path))) {
      continue;
    }
    lines += to - from + 1;
    if (lines <= MOST_LINES) {
      chosen.push(`${path}:${from}-${to}`);
    } else {
      console.log(`Left out, because --changed mutates at most ${MOST_LINES} lines: ${path}:${from}-${to}.`);
    }
  }
  return chosen;
};

const run = async ({ name, mutate, tests }: Job): Promise<void> => {
  process.env.CONFAB_MUTANT_TESTS = tests
    .map((test) => (test.includes('/') ? test : `${name}/test/${test}`))
    .join(',');
  // The results of a change must not replace those of all files.
  const report = onlyChanged ? `${name}.changed` : name;
  const options = optionsOf(report, mutate);
  await new Stryker({
    ...options,
    force: force || onlyChanged,
    ...(concurrency !== undefined && { concurrency }),
  }).runMutationTest();
};

const chosen = onlyChanged ? linesOfChange() : files;
const missed: string[] = [];
for (const name of packages) {
  const jobs = jobsOf(name, chosen);
  if (jobs.length === 0) {
    console.log(`@confab/${name}: nothing to mutate${onlyChanged ? ' has changed' : ' matches'}.`);
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
  const sum = sumOf(report.scores);
  const percent = percentOf(sum) ?? 100;
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  console.log(
    `@confab/${name}: tests noticed ${sum.killed} of ${sum.killed + sum.survived} mutants so far (${percent.toFixed(1)} %), in ${minutes} minutes.`,
  );
  if (percent < FLOOR) {
    missed.push(name);
  }
  if (write) {
    writePage(name, report);
  }
}
if (missed.length > 0) {
  console.error(`Below the floor of ${FLOOR} %: ${missed.join(', ')}.`);
  process.exitCode = 1;
}
