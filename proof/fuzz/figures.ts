import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FuzzResult } from './engine/fuzz.ts';
import { findingFiles } from './store.ts';

/** The figures of one target, from its last run with `--write`. */
interface Figures {
  readonly checks: string;
  readonly inputs: number;
  readonly seconds: number;
  readonly corpus: number;
  readonly kept: number;
}

const JSON_FILE = join(import.meta.dirname, 'figures.json');
export const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'proof', 'fuzzing.md');
const TABLE = /(?<=<!-- figures -->\n).*(?=\n<!-- end of figures -->)/s;

const number = (value: number): string => Math.round(value).toLocaleString('en');

/** Writes the table of all targets that have figures. */
const tableOf = (all: Readonly<Record<string, Figures>>): string =>
  [
    '| Target | Checks | Inputs | Seconds | Inputs/s | Corpus (kept here) | Found |',
    '|---|---|---:|---:|---:|---:|---:|',
    ...Object.entries(all).map(
      ([name, { checks, inputs, seconds, corpus, kept }]) =>
        `| \`${name}\` | ${checks} | ${number(inputs)} | ${number(seconds)} | ${number(inputs / seconds)} | ${number(corpus)} (${kept}) | ${findingFiles(name).length} |`,
    ),
  ].join('\n');

/** Reads the figures of all targets. */
export const readFigures = (): Record<string, Figures> =>
  existsSync(JSON_FILE) ? JSON.parse(readFileSync(JSON_FILE, 'utf8')) : {};

/**
 * Replaces the table of the page.
 *
 * @throws Error When the page has lost the markers around its table.
 */
export const withTable = (page: string, all: Readonly<Record<string, Figures>>): string => {
  if (!TABLE.test(page)) {
    throw new Error('The page has lost its markers: <!-- figures --> and <!-- end of figures -->.');
  }
  return page.replace(TABLE, () => tableOf(all));
};

/** Replaces the figures of one target, and the table of the page. */
export const writeFigures = (name: string, checks: string, result: FuzzResult, kept: number): void => {
  const { inputs, seconds, corpus } = result;
  const figures = { checks, inputs, seconds: Math.round(seconds * 10) / 10, corpus: corpus.length, kept };
  const all = Object.fromEntries(
    Object.entries({ ...readFigures(), [name]: figures }).toSorted(([a], [b]) => a.localeCompare(b)),
  );
  writeFileSync(JSON_FILE, `${JSON.stringify(all, null, 2)}\n`);
  writeFileSync(PAGE, withTable(readFileSync(PAGE, 'utf8'), all));
};
