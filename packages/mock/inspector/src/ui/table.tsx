import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './buttons.tsx';
import { Closing } from './dialog.tsx';
import { counted } from './text.tsx';

/** A column of a table. */
export interface Column<T> {
  readonly name: string;
  readonly cell: (row: T) => ComponentChildren;
  /** In rem. Columns without one share the space that the others leave. */
  readonly width?: number;
  /** Hidden on phones, or on anything smaller than a desktop: the opened row shows it. */
  readonly hiddenOn?: 'no-phone' | 'no-tablet';
}

interface Row {
  readonly id: string;
}

interface TableProps<T> {
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  /** What opening a row is for; with the first cell, the name of the button that does it. */
  readonly verb: 'Open' | 'Edit';
  /** The dialog of a row. */
  readonly dialog: (row: T) => ComponentChildren;
  /** How many rows there are, and what they are called. */
  readonly total: number;
  readonly noun: string;
  /** Shows more rows than these. */
  readonly onMore?: () => void;
}

/** Rows that can be opened. The button in the first cell opens its row by keyboard; a click does so anywhere in the row. */
export const Table = <T extends Row>({ columns, rows, verb, dialog, ...count }: TableProps<T>) => {
  const [open, setOpen] = useState<T>();
  return (
    <>
      <table>
        <caption class="hidden">{counted(rows.length, count.noun)}, newest first</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.name}
                scope="col"
                class={column.hiddenOn}
                style={{ width: column.width === undefined ? 'auto' : `${column.width}rem` }}
              >
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            // By keyboard, the button in the first cell does the same.
            <tr key={row.id} onClick={() => setOpen(row)}>
              {columns.map((column, at) => (
                <td key={column.name} class={column.hiddenOn}>
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
      <p class="sub">
        {rows.length} of {counted(count.total, count.noun)}{' '}
        {count.onMore && rows.length < count.total && <Button label="Show more" onClick={count.onMore} />}
      </p>
      {open && (
        <Closing.Provider value={() => setOpen(undefined)}>
          {dialog(rows.find(({ id }) => id === open.id) ?? open)}
        </Closing.Provider>
      )}
    </>
  );
};
