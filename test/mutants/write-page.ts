import { readFileSync, writeFileSync } from 'node:fs';
import { CLASSES } from '../../stryker.ignorer.ts';
import type { Table } from '../bench/tables.ts';
import { replaceTables } from '../bench/tables.ts';
import type { Counts, Report, Score } from './read-report.ts';
import { percentOf, sumOf } from './read-report.ts';

const PAGE = 'docs/proof/mutants.md';

const row = (name: string, counts: Counts): string[] => [
  name,
  String(counts.killed + counts.survived),
  String(counts.killed),
  String(counts.survived),
  String(counts.ignored),
  `${percentOf(counts)?.toFixed(1) ?? '–'} %`,
];

const scoresOf = (name: string, scores: readonly Score[]): Table => ({
  columns: [`@confab/${name}`, 'mutants', 'killed', 'survived', 'left out', 'score'],
  rows: [...scores.map(({ folder, ...counts }) => row(`\`${folder}\``, counts)), row('all', sumOf(scores))],
});

const leftOutOf = (name: string, equivalents: Report['equivalents']): Table => {
  const lines = equivalents.map(
    ({ path, reason }) => `${CLASSES.includes(reason) ? 'every file' : `\`${path}\``}\t${reason}`,
  );
  return {
    columns: [`Left out of @confab/${name}`, 'why', 'mutants'],
    rows: [...new Set(lines)].map((line) => [
      ...line.split('\t'),
      String(lines.filter((other) => other === line).length),
    ]),
  };
};

/** The tables of a package: its scores, and the mutants that do not count. */
export const toTables = (name: string, { scores, equivalents }: Report): Table[] => [
  scoresOf(name, scores),
  leftOutOf(name, equivalents),
];

/** Writes the results of a package into the tables of the page about mutants. */
export const writePage = (name: string, report: Report): void =>
  writeFileSync(PAGE, replaceTables(readFileSync(PAGE, 'utf8'), toTables(name, report)));
