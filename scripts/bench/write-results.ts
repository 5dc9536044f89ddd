import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Table } from './tables.ts';
import { replaceTables } from './tables.ts';

const DOCS = join(import.meta.dirname, '../../docs');

/** What a benchmark found. */
export interface Results {
  readonly machine: string;
  readonly tables: readonly Table[];
  readonly floors: Table;
}

const replaceIn = (page: string, tables: readonly Table[]): void =>
  writeFileSync(page, replaceTables(readFileSync(page, 'utf8'), tables));

/** Writes the results of a benchmark for the documentation: as JSON, and into the tables of its pages. */
export const writeResults = (name: string, results: Results): void => {
  replaceIn(join(DOCS, 'benchmarks', `${name}.md`), results.tables);
  replaceIn(join(DOCS, 'benchmarks.md'), [results.floors]);
  writeFileSync(join(DOCS, 'benchmarks', `${name}.json`), `${JSON.stringify(results, null, 2)}\n`);
};
