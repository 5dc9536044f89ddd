import { globSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../packages/internal/src/cli/index.ts';
import { FLOOR } from '../../stryker.shared.ts';
import { defineCommand, parseCommand } from '../command/command.ts';
import { text, texts, toggle, whole } from '../command/flag.ts';
import { commitOf } from './changed-lines.ts';
import { isMutated, PACKAGES } from './jobs.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** Lines that `--changed` mutates at most, so that a change has to wait for minutes, not for an hour. */
export const MOST_LINES = 100;

/** What to mutate. */
export interface MutantsOptions {
  readonly packages: readonly string[];
  /** Whether only changed lines are mutated. */
  readonly onlyChanged: boolean;
  /** The commit that they are compared with; by default, where the branch left main. */
  readonly since: string | undefined;
  /** The only files to mutate. */
  readonly files: readonly string[] | undefined;
  /** Whether results of earlier runs are measured again. */
  readonly force: boolean;
  /** Whether the scores replace those in docs/proof. */
  readonly write: boolean;
  readonly concurrency: number | undefined;
}

/** The flags and the help of the command. */
export const MUTANTS = defineCommand({
  name: 'test:mutants',
  summary: 'changes the code in many small ways, and counts the changes that no test notices',
  description:
    'Runs the tests that own the changed code, and prints each change after which all of them pass. A second run repeats only the changes whose code or tests have changed. The reports are in reports/mutants; docs/proof/mutants.md describes what is changed.',
  args: { kind: 'package', known: PACKAGES },
  flags: {
    changed: toggle(
      `Mutates only lines that have changed since the branch left main, ${MOST_LINES} at most.`,
    ),
    since: text({
      placeholder: 'COMMIT',
      description: 'Does the same as --changed, but compares with this commit.',
    }),
    files: texts({
      placeholder: 'GLOB',
      description: 'Mutates only these files, and keeps the results of the others.',
    }),
    force: toggle('Repeats all changes.'),
    concurrency: whole({
      placeholder: 'N',
      description:
        'Processes that run tests at the same time. By default, Stryker decides by the number of cores.',
      least: 1,
      most: 256,
    }),
    write: toggle('Writes the scores into docs/proof/mutants.md.'),
  },
  excludes: [
    { flags: ['changed', 'since'], with: ['files'], because: 'each chooses the files to mutate' },
    { flags: ['changed', 'since'], with: ['write'], because: 'the page shows the scores of whole packages' },
  ],
  fails: `The tests of a package notice less than ${FLOOR} % of the changes.`,
  examples: [
    'pnpm test:mutants webhooks',
    'pnpm test:mutants --changed',
    "pnpm test:mutants client --files 'packages/client/src/retry/*.ts'",
  ],
});

/**
 * Reads the flags and the names of packages.
 *
 * @throws {@link UsageError} When one is unknown, its value invalid, or flags contradict each other.
 */
export const parseMutantsOptions = (args: readonly string[]): MutantsOptions => {
  const { values, args: packages } = parseCommand(MUTANTS, args);
  const { changed, since, files: patterns, ...rest } = values;
  if (since !== undefined && commitOf(since) === undefined) {
    throw new UsageError(`--since must be a commit of this repository, got ${JSON.stringify(since)}.`);
  }
  const files = patterns && globSync(patterns, { cwd: ROOT });
  if (files?.some((path) => packages.some((name) => isMutated(name, path))) === false) {
    throw new UsageError(
      `--files must match a file to mutate of ${packages.join(', ')}, got ${patterns?.map((each) => JSON.stringify(each)).join(', ')}.`,
    );
  }
  return { ...rest, packages, onlyChanged: changed || since !== undefined, since, files };
};
