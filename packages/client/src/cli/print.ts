import { printable } from '@confab/internal/cli';
import type { Output } from './io.ts';
import type { Row, Table } from './table.ts';
import { formatCell, isRecord, layOut, pad } from './table.ts';

/** A value as JSON on one line, which a terminal can show safely. */
export const jsonLine = (value: unknown): string => printable(JSON.stringify(value));

export const formatNumber = (value: number): string => value.toLocaleString('en-US');

export const formatRowCount = (count: number): string =>
  `${formatNumber(count)} row${count === 1 ? '' : 's'}`;

/** Prints rows as they arrive. */
export interface RowPrinter {
  readonly print: (rows: readonly Row[]) => Promise<void>;
  /** The columns that did not fit. */
  readonly hidden: () => readonly string[];
}

/**
 * Prints rows as JSON lines for programs, or as a table for people. The first rows decide the widths of the columns, so
 * that later rows can be printed as they arrive.
 */
export const createRowPrinter = (asJson: boolean, { columns, bold, write }: Output): RowPrinter => {
  let table: Table | undefined;
  return {
    async print(rows) {
      const lines: string[] = [];
      if (!asJson && table === undefined && rows.length > 0) {
        table = layOut(rows, columns);
        lines.push(bold(table.head));
      }
      for (const row of rows) {
        lines.push(table === undefined ? jsonLine(row) : table.lineOf(row));
      }
      await write(lines.map((line) => `${line}\n`).join(''));
    },
    hidden: () => table?.hidden ?? [],
  };
};

/** A list of rows inside a value is a table of its own. */
const isTable = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRecord);

/** Returns all fields with their values; the fields of a nested object have names such as `range.from`. */
const flatten = (value: Readonly<Record<string, unknown>>, prefix = ''): [name: string, field: unknown][] =>
  Object.entries(value).flatMap(([name, field]) =>
    isRecord(field) ? flatten(field, `${prefix}${name}.`) : [[`${prefix}${name}`, field]],
  );

/** Values are aligned behind names up to this width. */
const MAX_NAME_WIDTH = 40;

/** Splits a text into lines, so that each can be aligned. */
const valueLines = (value: unknown): string[] =>
  typeof value === 'string' ? value.split(/\r?\n/).map(printable) : [formatCell(value)];

/** Prints one value for people: a line per field, then a table for each list in it. */
export const printRecord = async (value: unknown, out: Output): Promise<void> => {
  const all = isRecord(value) ? flatten(value) : [['', value] as const];
  const fields = all.filter(([, field]) => !isTable(field));
  const widest = fields.reduce((most, [name]) => Math.max(most, name.length), 0);
  const width = Math.min(widest, MAX_NAME_WIDTH);
  const lines = fields.flatMap(([name, field]) =>
    valueLines(field).map((line, index) =>
      `${index === 0 ? out.bold(pad(formatCell(name), width)) : ' '.repeat(width)}  ${line}`.trimEnd(),
    ),
  );
  await out.write(`${lines.join('\n')}\n`);
  for (const [name, rows] of all) {
    if (isTable(rows)) {
      await out.write(`\n${out.bold(`${formatCell(name)} (${rows.length})`)}\n`);
      await createRowPrinter(false, out).print(rows);
    }
  }
};
