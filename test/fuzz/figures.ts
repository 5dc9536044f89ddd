import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@confab/internal/cli';
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

/** Where the figures are. */
interface Files {
  readonly json: string;
  /** The page that shows them as a table. */
  readonly page: string;
}

export const FILES: Files = {
  json: join(import.meta.dirname, 'figures.json'),
  page: join(import.meta.dirname, '..', '..', 'docs', 'proof', 'fuzzing.md'),
};
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

const isFigures = (value: unknown): value is Figures => {
  const { checks, inputs, seconds, corpus, kept } = Object(value);
  return typeof checks === 'string' && [inputs, seconds, corpus, kept].every(Number.isFinite);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Reads the figures of all targets.
 *
 * @throws {@link UsageError} When the file has something else.
 */
export const readFigures = ({ json }: Files = FILES): Record<string, Figures> => {
  if (!existsSync(json)) {
    return {};
  }
  const all = parsed(readFileSync(json, 'utf8'));
  if (typeof all !== 'object' || all === null || !Object.values(all).every(isFigures)) {
    throw new UsageError(
      'proof/fuzz/figures.json must be JSON with the figures of each target. Restore it with git checkout proof/fuzz/figures.json.',
    );
  }
  return all as Record<string, Figures>;
};

/**
 * Replaces the table of the page.
 *
 * @throws {@link UsageError} When the page has lost the markers around its table.
 */
export const withTable = (page: string, all: Readonly<Record<string, Figures>>): string => {
  if (!TABLE.test(page)) {
    throw new UsageError(
      'docs/proof/fuzzing.md has lost its markers. Put the lines <!-- figures --> and <!-- end of figures --> around its table.',
    );
  }
  return page.replace(TABLE, () => tableOf(all));
};

const pageWith = (all: Readonly<Record<string, Figures>>, { page }: Files): string =>
  withTable(readFileSync(page, 'utf8'), all);

/**
 * Checks that {@link writeFigures} can replace the figures of a target.
 *
 * @throws {@link UsageError} When it can't.
 */
export const checkFigures = (files: Files = FILES): void => {
  pageWith(readFigures(files), files);
};

/**
 * Replaces the figures of one target, and the table of the page.
 *
 * @throws {@link UsageError} When one of the files is not as it should be. Both stay as they are then.
 */
export const writeFigures = (
  name: string,
  checks: string,
  result: Pick<FuzzResult, 'inputs' | 'seconds' | 'corpus'>,
  kept: number,
  files: Files = FILES,
): void => {
  const { inputs, seconds, corpus } = result;
  const figures = { checks, inputs, seconds: Math.round(seconds * 10) / 10, corpus: corpus.length, kept };
  const all = Object.fromEntries(
    Object.entries({ ...readFigures(files), [name]: figures }).toSorted(([a], [b]) => a.localeCompare(b)),
  );
  const page = pageWith(all, files);
  writeFileSync(files.page, page);
  writeFileSync(files.json, `${JSON.stringify(all, null, 2)}\n`);
};
