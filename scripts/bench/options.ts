import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineCommand, parseCommand } from '../command/command.ts';
import { toggle } from '../command/flag.ts';

const ROOT = join(import.meta.dirname, '..', '..', 'packages');

/** The folder with the benchmarks of a package, which is a workspace of its own. */
export const folderOf = (name: string): string => join(ROOT, name, 'bench');

/** The flags and the help of the command. */
export const BENCH = defineCommand({
  name: 'bench',
  summary: 'compares the packages with their peers',
  description:
    'Installs the peers of each package, and measures them and the package in the same run. docs/benchmarks has the results and the limits.',
  args: {
    kind: 'package',
    known: readdirSync(ROOT).filter((name) => existsSync(join(folderOf(name), 'package.json'))),
  },
  flags: {
    write: toggle('Writes the results into docs/benchmarks.'),
  },
  fails: 'A benchmark failed or missed a limit.',
  examples: ['pnpm bench client', 'pnpm bench --write'],
});

/** What to measure. */
export interface BenchOptions {
  readonly names: readonly string[];
  /** Whether the results replace those in docs/benchmarks. */
  readonly write: boolean;
}

/**
 * Reads the flags and the names of packages.
 *
 * @throws {@link UsageError} When one is unknown.
 */
export const parseBenchOptions = (args: readonly string[]): BenchOptions => {
  const { values, args: names } = parseCommand(BENCH, args);
  return { names, write: values.write };
};
