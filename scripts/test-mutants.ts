/**
 * Changes the code of the packages, or of those named as arguments, in many small ways, and counts the changes that no test
 * notices: docs/proof/mutants.md. Exits with 1 if a package misses its floor.
 */
import { matchesGlob } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import type { StrykerOptions } from '../stryker.shared.ts';
import { changedFiles, commitOf } from './mutants/changed-files.ts';
import { readReport } from './mutants/read-report.ts';
import { writePage } from './mutants/write-page.ts';

const PACKAGES = ['client', 'webhooks', 'mock'];

/** Files that `--changed` mutates at most, so that a change has to wait for minutes, not for an hour. */
const MOST_FILES = 6;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: 'boolean', default: false },
    since: { type: 'string' },
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
if (onlyChanged && values.write) {
  fail('--write needs the results of all files: leave out --changed and --since.');
}
if (values.since !== undefined && commitOf(values.since) === undefined) {
  fail(`--since must be a commit of this repository, got ${JSON.stringify(values.since)}.`);
}
const packages = positionals.length > 0 ? positionals : PACKAGES;

const configOf = async (name: string): Promise<StrykerOptions> =>
  (await import(`../packages/${name}/stryker.config.ts`)).default;

/** Lists the files to mutate for each package; those with the most changed lines come first. */
const filesToMutate = async (): Promise<Map<string, string[]>> => {
  const changed = changedFiles(values.since);
  if (changed === undefined) {
    console.log('There is no commit to compare with.');
  }
  const files = new Map<string, string[]>(packages.map((name) => [name, []]));
  const left: string[] = [];
  let count = 0;
  for (const { path } of changed ?? []) {
    for (const name of packages) {
      const { mutate = [] } = await configOf(name);
      if (!mutate.some((pattern = '') => matchesGlob(path, pattern))) {
        continue;
      }
      count += 1;
      (count > MOST_FILES ? left : files.get(name))?.push(path);
    }
  }
  if (left.length > 0) {
    console.log(`Left out, because --changed mutates at most ${MOST_FILES} files: ${left.join(', ')}.`);
  }
  return files;
};

const changes = onlyChanged ? await filesToMutate() : undefined;
for (const name of packages) {
  const mutate = changes?.get(name);
  if (mutate?.length === 0) {
    console.log(`@confab/${name}: no file whose mutants are tested has changed.`);
    continue;
  }
  const { concurrency } = values;
  const started = performance.now();
  await new Stryker({
    ...(await configOf(name)),
    force: values.force,
    ...(concurrency !== undefined && { concurrency: Number(concurrency) }),
    // The results of some files must not replace those of all.
    ...(mutate && { mutate, incremental: false, reporters: ['clear-text', 'progress-append-only'] }),
  }).runMutationTest();
  console.log(`@confab/${name} took ${((performance.now() - started) / 60_000).toFixed(1)} minutes.`);
  if (values.write) {
    writePage(name, readReport(`reports/mutants/${name}.json`));
  }
}
