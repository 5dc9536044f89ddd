import { printable } from '@confab/internal/cli';
import stringWidth from 'string-width';

/** A row of a list, or anything else that a service returns in its place. */
export type Row = unknown;

/** A table whose column widths are set. */
export interface Table {
  /** The line with the names of the columns. */
  readonly head: string;
  /** Returns the line of a row. */
  readonly lineOf: (row: Row) => string;
  /** Names of the columns that don't fit. */
  readonly hidden: readonly string[];
}

const GAP = '  ';

/** The minimum width to which a column is narrowed. */
const MIN_COLUMN = 12;

/** Maximum number of columns to lay out. A service can send any number of them. */
const MAX_COLUMNS = 100;

/**
 * Maximum number of characters to read from a value. A terminal shows no more, and an untrusted value can have any
 * length.
 */
const MAX_CHARACTERS = 1_000;

const segments = new Intl.Segmenter();

export const pad = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - stringWidth(text)));

/** Shortens a text to a width, with `…` at its end. */
const cut = (text: string, width: number): string => {
  if (stringWidth(text) <= width) {
    return text;
  }
  let kept = '';
  let left = width - 1;
  for (const { segment } of segments.segment(text)) {
    left -= stringWidth(segment);
    if (left < 0) {
      break;
    }
    kept += segment;
  }
  return `${kept}…`;
};

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value on one line, safe for a terminal. */
export const formatCell = (value: unknown): string => {
  if (value === null || value === undefined) {
    return '';
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return printable(text.slice(0, MAX_CHARACTERS).replaceAll(/\s*[\r\n]+\s*/g, ' '));
};

const cellIn = (row: Row, name: string): string => (isRecord(row) ? formatCell(row[name]) : '');

/** Ids of other rows are the least useful to a person, so they come last and are dropped first. */
const orderColumns = (rows: readonly Row[]): string[] => {
  const names = [...new Set(rows.filter(isRecord).flatMap((row) => Object.keys(row)))];
  const rank = (name: string) => (name === 'id' ? 0 : name.endsWith('Id') ? 2 : 1);
  return names.toSorted((a, b) => rank(a) - rank(b));
};

/**
 * Decides the widths of the columns, so that the table fits a terminal: the widest columns are narrowed, then the last
 * ones are left out. The first column, the id, is never narrowed, because people copy ids.
 */
const fit = (wanted: readonly number[], available: number): readonly number[] => {
  for (let count = wanted.length; count > 1; count -= 1) {
    for (let widest = available; widest >= MIN_COLUMN; widest -= 1) {
      const widths = wanted
        .slice(0, count)
        .map((width, index) => (index === 0 ? width : Math.min(width, widest)));
      if (widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length) <= available) {
        return widths;
      }
    }
  }
  return wanted.slice(0, 1);
};

/** Lays out a table whose columns are as wide as these rows need. */
export const layOut = (rows: readonly Row[], available: number): Table => {
  const names = orderColumns(rows);
  const wanted = names
    .slice(0, MAX_COLUMNS)
    .map((name) =>
      [formatCell(name), ...rows.map((row) => cellIn(row, name))]
        .map((cell) => stringWidth(cell))
        .reduce((most, width) => Math.max(most, width)),
    );
  const widths = fit(wanted, available);
  const line = (cellUnder: (name: string) => string): string =>
    widths
      .map((width, index) => pad(cut(cellUnder(names[index] ?? ''), width), width))
      .join(GAP)
      .trimEnd();
  return {
    head: line(formatCell),
    lineOf: (row) => line((name) => cellIn(row, name)),
    hidden: names.slice(widths.length),
  };
};
