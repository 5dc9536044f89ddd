import { printable } from '@confab/internal/cli';
import type { Output } from '../io.ts';
import type { Shape } from '../shapes/shape.ts';
import { cellOf } from './cell.ts';
import { headOf, layOut, rowOf } from './table.ts';
import { pad } from './width.ts';

type Row = Readonly<Record<string, unknown>>;

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A list of rows inside a value is a table of its own. */
const isTable = (value: unknown, shape: Shape): value is readonly Row[] =>
  shape.items?.type === 'object' && Array.isArray(value) && value.every(isRow);

/** Fields with their values; those of a nested object have names such as `range.from`. */
const flatten = (row: Row, shape: Shape, prefix = ''): [name: string, value: unknown][] =>
  Object.entries(shape.properties ?? {}).flatMap(([name, field]) => {
    const value = row[name];
    if (isTable(value, field)) {
      return [];
    }
    return isRow(value) && field.properties
      ? flatten(value, field, `${prefix}${name}.`)
      : [[`${prefix}${name}`, value]];
  });

/** Keeps the lines of a text, which a person reads, below each other. */
const valueLines = (value: unknown): string[] =>
  typeof value === 'string' ? value.split(/\r?\n/).map(printable) : [cellOf(value)];

const tableLines = (rows: readonly Row[], shape: Shape, { columns, bold }: Output): string[] => {
  const layout = layOut(rows, shape, columns);
  return [bold(headOf(layout)), ...rows.map((row) => rowOf(row, layout))];
};

/** One value for people: a line per field, then a table for each list in it. */
export const recordLines = (value: unknown, shape: Shape, out: Output): string[] => {
  if (!isRow(value)) {
    return valueLines(value);
  }
  const fields = flatten(value, shape);
  const width = Math.max(...fields.map(([name]) => name.length));
  const lines = fields.flatMap(([name, field]) =>
    valueLines(field).map((line, index) =>
      index === 0 ? `${out.bold(pad(name, width))}  ${line}`.trimEnd() : `${' '.repeat(width)}  ${line}`,
    ),
  );
  const tables = Object.entries(shape.properties ?? {}).flatMap(([name, field]) => {
    const rows = value[name];
    return isTable(rows, field) && field.items
      ? [
          '',
          out.bold(`${name} (${rows.length})`),
          ...(rows.length > 0 ? tableLines(rows, field.items, out) : []),
        ]
      : [];
  });
  return [...lines, ...tables];
};
