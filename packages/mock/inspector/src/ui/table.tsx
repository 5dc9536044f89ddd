import type { ComponentChildren } from 'preact';

/** A column of a table. */
export interface Column<T> {
  readonly name: string;
  readonly cell: (row: T) => ComponentChildren;
  /**
   * Wide columns share the space that the others leave; `tiny` ones are as wide as a status, `medium` ones as a word, and
   * `large` ones, on a desktop, as the name of an operation.
   */
  readonly width?: 'tiny' | 'medium' | 'small' | 'large' | 'wide';
  /** Hidden on phones, or on anything smaller than a desktop: the opened row shows it. */
  readonly hiddenOn?: 'phone' | 'tablet';
}

interface TableProps<T> {
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  /** What opening a row is for; with the first cell, the name of the button that does it. */
  readonly verb: 'Open' | 'Edit';
  readonly onOpen: (row: T) => void;
}

const classOf = ({ width = 'wide', hiddenOn }: Pick<Column<unknown>, 'width' | 'hiddenOn'>): string =>
  hiddenOn === undefined ? width : `${width} no-${hiddenOn}`;

/** Rows that can be opened. The button in the first cell opens its row by keyboard; a click does so anywhere in the row. */
export const Table = <T,>({ caption, columns, rows, keyOf, verb, onOpen }: TableProps<T>) => (
  <table>
    <caption class="hidden">{caption}</caption>
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column.name} scope="col" class={classOf(column)}>
            {column.name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        // By keyboard, the button in the first cell does the same.
        <tr key={keyOf(row)} onClick={() => onOpen(row)}>
          {columns.map((column, at) => (
            <td key={column.name} class={classOf(column)}>
              {at === 0 ? (
                <button type="button" class="row-button">
                  <span class="hidden">{verb} </span>
                  {column.cell(row)}
                </button>
              ) : (
                column.cell(row)
              )}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
