import type { Shape } from '../shapes/shape.ts';
import { cellOf } from './cell.ts';
import { cut, pad, widthOf } from './width.ts';

/** A column of a table. */
interface Column {
  readonly name: string;
  readonly width: number;
}

/** The columns that fit a terminal, and the names of those that don't. */
export interface Layout {
  readonly columns: readonly Column[];
  readonly hidden: readonly string[];
}

type Row = Readonly<Record<string, unknown>>;

const GAP = '  ';

/** A column is not made narrower than this to fit. */
const NARROWEST = 12;

/** Ids of other rows say the least to a person, so they go last, and are the first that don't fit. */
const byInterest = (shape: Shape): string[] => {
  const fields = Object.entries(shape.properties ?? {});
  const isReference = ([name, { format }]: (typeof fields)[number]) => format === 'uuid' && name !== 'id';
  const others = fields.filter((field) => !isReference(field));
  return [...others, ...fields.filter(isReference)].map(([name]) => name);
};

const total = (columns: readonly Column[]): number =>
  columns.reduce((sum, { width }) => sum + width, GAP.length * (columns.length - 1));

/** Makes the widest columns narrower until all fit. The first one, the id, is kept whole, because people copy it. */
const shrink = (columns: readonly Column[], available: number): Column[] => {
  let surplus = total(columns) - available;
  const widths = columns.map(({ width }) => width);
  while (surplus > 0) {
    const widest = Math.max(...widths.slice(1));
    if (widest <= NARROWEST) {
      break;
    }
    widths[widths.lastIndexOf(widest)] = widest - 1;
    surplus -= 1;
  }
  return columns.map(({ name }, index) => ({ name, width: widths[index] ?? 0 }));
};

/** A service may return `null`, or anything else, as a row. */
const textOf = (row: Row, name: string): string => cellOf(Object(row)[name]);

/** Decides which columns of the rows fit a terminal, and how wide each is. */
export const layOut = (rows: readonly Row[], shape: Shape, available: number): Layout => {
  const all = byInterest(shape).map((name) => ({
    name,
    width: Math.max(widthOf(name), ...rows.map((row) => widthOf(textOf(row, name)))),
  }));
  const least = (columns: readonly Column[]) =>
    total(
      columns.map((column, index) => ({
        ...column,
        width: index === 0 ? column.width : Math.min(column.width, NARROWEST),
      })),
    );
  let count = all.length;
  while (count > 1 && least(all.slice(0, count)) > available) {
    count -= 1;
  }
  return {
    columns: shrink(all.slice(0, count), available),
    hidden: all.slice(count).map(({ name }) => name),
  };
};

const lineOf = (cells: readonly string[], { columns }: Layout): string =>
  columns
    .map(({ width }, index) => pad(cut(cells[index] ?? '', width), width))
    .join(GAP)
    .trimEnd();

/** The line with the names of the columns. */
export const headOf = (layout: Layout): string =>
  lineOf(
    layout.columns.map(({ name }) => name),
    layout,
  );

/** The line of a row. */
export const rowOf = (row: Row, layout: Layout): string =>
  lineOf(
    layout.columns.map(({ name }) => textOf(row, name)),
    layout,
  );
