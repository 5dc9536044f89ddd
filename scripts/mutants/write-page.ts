import { readFileSync, writeFileSync } from 'node:fs';
import type { Table } from '../bench/tables.ts';
import { replaceTables } from '../bench/tables.ts';
import type { Equivalent, Report, Score } from './read-report.ts';
import { percentOf } from './read-report.ts';

const PAGE = 'docs/proof/mutants.md';

const row = (name: string, { killed, survived, ignored }: Omit<Score, 'folder'>): string[] => [
  name,
  String(killed + survived),
  String(killed),
  String(survived),
  String(ignored),
  `${percentOf({ killed, survived })?.toFixed(1) ?? '–'} %`,
];

const scoresOf = (name: string, scores: readonly Score[]): Table => {
  const sum = (field: 'killed' | 'survived' | 'ignored') =>
    scores.reduce((total, score) => total + score[field], 0);
  return {
    columns: [`@confab/${name}`, 'mutants', 'killed', 'survived', 'equivalent', 'score'],
    rows: [
      ...scores.map(({ folder, ...counts }) => row(`\`${folder}\``, counts)),
      row('all', { killed: sum('killed'), survived: sum('survived'), ignored: sum('ignored') }),
    ],
  };
};

const equivalentsOf = (name: string, equivalents: readonly Equivalent[]): Table => {
  const lines = equivalents.map(({ path, reason }) => `\`${path}\`\t${reason}`);
  return {
    columns: [`Equivalent in @confab/${name}`, 'why', 'mutants'],
    rows: [...new Set(lines)].map((line) => [
      ...line.split('\t'),
      String(lines.filter((other) => other === line).length),
    ]),
  };
};

/** The tables of a package: its scores, and the mutants that do not count. */
export const toTables = (name: string, { scores, equivalents }: Report): Table[] => [
  scoresOf(name, scores),
  equivalentsOf(name, equivalents),
];

/** Writes the results of a package into the tables of the page about mutants. */
export const writePage = (name: string, report: Report): void =>
  writeFileSync(PAGE, replaceTables(readFileSync(PAGE, 'utf8'), toTables(name, report)));
