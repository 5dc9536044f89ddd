import { printable } from '@confab/internal/cli';
import stringWidth from 'string-width';

/** A row of a list, or anything else that a service returns in its place. */
export type Row = unknown;

/** The columns of a table, and the names of those that don't fit. */
export interface Table {
  readonly names: readonly string[];
  readonly widths: readonly number[];
  readonly hidden: readonly string[];
}

const GAP = '  ';

/** A column is not made narrower than this to fit. */
const MIN_COLUMN = 12;

/** Maximum number of columns to lay out. A service can send any number of them. */
const MAX_COLUMNS = 100;

/**
 * Maximum number of characters to read from a value. A terminal shows no more, and an untrusted value can have any
 * length.
 */
const MAX_CHARACTERS = 1_000;

const segments = new Intl.Segmenter();

/** Fills a text with spaces up to a width. */
export const pad = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - stringWidth(text)));

/** Cuts a text to a width; what was cut shows as `…`. */
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
export const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) {
    return '';
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return printable(text.slice(0, MAX_CHARACTERS).replaceAll(/\s*[\r\n]+\s*/g, ' '));
};

const cellIn = (row: Row, name: string): string => (isRecord(row) ? cellOf(row[name]) : '');

/** Ids of other rows tell a person the least, so they come last and are dropped first. */
const columnsOf = (rows: readonly Row[]): string[] => {
  const names = [...new Set(rows.filter(isRecord).flatMap((row) => Object.keys(row)))];
  const rank = (name: string) => (name === 'id' ? 0 : name.endsWith('Id') ? 2 : 1);
  return names.toSorted((a, b) => rank(a) - rank(b));
};

/**
 * Decides which columns fit a terminal, and how wide each is: the widest become narrower, then the last are left out. The
 * first one, the id, stays whole, because people copy it.
 */
export const layOut = (rows: readonly Row[], available: number): Table => {
  const names = columnsOf(rows);
  const wanted = names
    .slice(0, MAX_COLUMNS)
    .map((name) =>
      rows.reduce<number>(
        (most, row) => Math.max(most, stringWidth(cellIn(row, name))),
        stringWidth(cellOf(name)),
      ),
    );
  for (let count = wanted.length; count > 1; count -= 1) {
    for (let widest = available; widest >= MIN_COLUMN; widest -= 1) {
      const widths = wanted
        .slice(0, count)
        .map((width, index) => (index === 0 ? width : Math.min(width, widest)));
      if (widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length) <= available) {
        return { names: names.slice(0, count), widths, hidden: names.slice(count) };
      }
    }
  }
  return { names: names.slice(0, 1), widths: wanted.slice(0, 1), hidden: names.slice(1) };
};

const lineOf = (cells: readonly string[], widths: readonly number[]): string =>
  cells
    .map((cell, index) => pad(cut(cell, widths[index] ?? 0), widths[index] ?? 0))
    .join(GAP)
    .trimEnd();

/** The line with the names of the columns. */
export const headOf = ({ names, widths }: Table): string => lineOf(names.map(cellOf), widths);

/** The line of a row. */
export const rowOf = (row: Row, { names, widths }: Table): string =>
  lineOf(
    names.map((name) => cellIn(row, name)),
    widths,
  );
