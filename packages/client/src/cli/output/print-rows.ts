import { printable } from '@confab/internal/cli';
import type { Output } from '../io.ts';
import type { Shape } from '../shapes/shape.ts';
import type { Layout } from './table.ts';
import { headOf, layOut, rowOf } from './table.ts';

type Row = Readonly<Record<string, unknown>>;

/** A value as JSON on one line, which a terminal can show safely. */
export const jsonLine = (value: unknown): string => printable(JSON.stringify(value));

/** Prints rows as they arrive. */
export interface RowPrinter {
  readonly print: (rows: readonly Row[]) => Promise<void>;
  /** The columns that did not fit. */
  readonly hidden: () => readonly string[];
}

/** Prints rows as JSON, a line each. */
const createJsonPrinter = (out: Output): RowPrinter => ({
  print: (rows) => out.write(rows.map((row) => `${jsonLine(row)}\n`).join('')),
  hidden: () => [],
});

/** Prints rows as a table. Later rows fill the columns that the first ones needed, so no row has to be kept. */
const createTablePrinter = (shape: Shape, out: Output): RowPrinter => {
  let layout: Layout | undefined;
  return {
    async print(rows) {
      const lines: string[] = [];
      if (layout === undefined) {
        layout = layOut(rows, shape, out.columns);
        lines.push(out.bold(headOf(layout)));
      }
      for (const row of rows) {
        lines.push(rowOf(row, layout));
      }
      await out.write(`${lines.join('\n')}\n`);
    },
    hidden: () => layout?.hidden ?? [],
  };
};

/** Prints the rows of a list: for people as a table, for programs as JSON. */
export const createRowPrinter = (shape: Shape, asJson: boolean, out: Output): RowPrinter =>
  asJson ? createJsonPrinter(out) : createTablePrinter(shape, out);
