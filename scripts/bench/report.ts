import { cpus } from 'node:os';
import { basename, dirname } from 'node:path';
import type { Table } from './tables.ts';
import { toMarkdown } from './tables.ts';
import { writeResults } from './write-results.ts';

const misses: string[] = [];
const tables: Table[] = [];

const MACHINE = `Node ${process.version}, ${cpus()[0]?.model.trim()}, ${cpus().length} cores.`;

/** Remembers a floor that was missed; so does a value that is not there. */
export const atLeast = (what: string, value: number | undefined, floor: number): void => {
  if (!(value !== undefined && value >= floor)) {
    misses.push(`${what}: ${value}, and the floor is ${floor}`);
  }
};

/** {@link atLeast}, of a bound from above. */
export const atMost = (what: string, value: number | undefined, most: number): void => {
  if (!(value !== undefined && value <= most)) {
    misses.push(`${what}: ${value}, and the most is ${most}`);
  }
};

/** A ratio, as the tables have it. */
export const times = (ratio: number | undefined): string => `${(ratio ?? Number.NaN).toFixed(2)} ×`;

/** Runs a second, rounded to a hundred. */
export const perSecond = (ms: number): string => (Math.round(10 / ms) * 100).toLocaleString('en');

/** Says what it was measured on. */
export const printMachine = (): void => console.log(MACHINE);

/** Prints a table in Markdown: the first column holds names, the others numbers. */
export const printTable = (columns: readonly string[], rows: readonly (readonly string[])[]): void => {
  tables.push({ columns, rows });
  console.log(`\n${toMarkdown({ columns, rows })}`);
};

/**
 * Says which floors were missed, and lets the process fail if any was. With `--write`, it also puts the results into
 * the documentation of the package whose benchmark this is.
 */
export const printMisses = (): void => {
  if (process.argv.includes('--write')) {
    writeResults(basename(dirname(process.cwd())), MACHINE, tables);
  }
  if (misses.length === 0) {
    return;
  }
  console.error(`\n${misses.join('\n')}`);
  process.exitCode = 1;
};
