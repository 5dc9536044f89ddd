import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Table } from './tables.ts';
import { printTable as print, writeTables } from './tables.ts';

const DOCS = join(import.meta.dirname, '../../docs');

/** The results of a benchmark, as they are written for the documentation. */
export interface Results {
  readonly machine: string;
  readonly tables: readonly Table[];
  readonly floors: Table;
}

const misses: string[] = [];
const tables: Table[] = [];
const floors: string[][] = [];

const figure = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 2 });

const check = (what: string, value: number | undefined, bound: string, isMet: (value: number) => boolean) => {
  floors.push([what, bound, value === undefined ? 'none' : figure(value)]);
  if (value === undefined || !isMet(value)) {
    misses.push(`${what}: ${value}, and the floor is ${bound}`);
  }
};

const MACHINE = `Node ${process.version}, ${cpus()[0]?.model.trim()}, ${cpus().length} cores.`;

/** Records a missed floor. A missing value counts as a miss. */
export const atLeast = (what: string, value: number | undefined, floor: number): void =>
  check(what, value, `≥ ${figure(floor)}`, (given) => given >= floor);

/** Like {@link atLeast}, for an upper bound. */
export const atMost = (what: string, value: number | undefined, most: number): void =>
  check(what, value, `≤ ${figure(most)}`, (given) => given <= most);

/** Formats a ratio for a table. */
export const times = (ratio: number | undefined): string => `${(ratio ?? Number.NaN).toFixed(2)} ×`;

/** Formats the runs per second, rounded to a hundred. */
export const perSecond = (ms: number): string => (Math.round(10 / ms) * 100).toLocaleString('en');

/** Prints the machine on which the benchmark runs. */
export const printMachine = (): void => console.log(MACHINE);

/** Prints a table in Markdown: the first column holds names, the others numbers. */
export const printTable = (columns: Table['columns'], rows: Table['rows']): void => {
  tables.push({ columns, rows });
  print(columns, rows);
};

/**
 * Prints all floors and those that were missed, and sets a failing exit code if any was. With `--write`, it also writes the
 * results into the documentation.
 */
export const printMisses = (): void => {
  const name = basename(dirname(process.cwd()));
  const checked: Table = { columns: [`@confab/${name}`, 'floor', 'result'], rows: floors };
  print(checked.columns, checked.rows);
  if (process.argv.includes('--write')) {
    const results: Results = { machine: MACHINE, tables, floors: checked };
    writeTables(join(DOCS, 'benchmarks', `${name}.md`), tables);
    writeTables(join(DOCS, 'benchmarks.md'), [checked]);
    writeFileSync(join(DOCS, 'benchmarks', `${name}.json`), `${JSON.stringify(results, null, 2)}\n`);
  }
  if (misses.length === 0) {
    return;
  }
  console.error(`\n${misses.join('\n')}`);
  process.exitCode = 1;
};
