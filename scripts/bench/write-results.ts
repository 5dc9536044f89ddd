import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Table } from './tables.ts';
import { replaceTables } from './tables.ts';

const FOLDER = join(import.meta.dirname, '../../docs/benchmarks');

/** Writes the results of a benchmark for the documentation: as JSON, and into the tables of its page. */
export const writeResults = (name: string, machine: string, tables: readonly Table[]): void => {
  const page = join(FOLDER, `${name}.md`);
  writeFileSync(page, replaceTables(readFileSync(page, 'utf8'), tables));
  writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify({ machine, tables }, null, 2)}\n`);
};
