import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './buttons.tsx';
import { Closing } from './dialog.tsx';
import { pluralize } from './text.tsx';

/** A column of a table. */
export interface Column<T> {
  readonly name: string;
  readonly cell: (row: T) => ComponentChildren;
  /** The width in rem. Columns without a width share the remaining space. */
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
  /** The first word of the name of the button that opens a row; the first cell follows. */
  readonly verb: 'Open' | 'Edit';
  /** The dialog of a row. */
  readonly dialog: (row: T) => ComponentChildren;
  /** The number of all rows. */
  readonly total: number;
  /** The word for a row: `request`. */
  readonly noun: string;
  /** Shows more rows than these. */
  readonly onMore?: () => void;
}

/** A table of rows that can be opened: by keyboard with the button in the first cell, by mouse anywhere in the row. */
export const Table = <T extends Row>({ columns, rows, verb, dialog, ...count }: TableProps<T>) => {
  const [open, setOpen] = useState<T>();
  return (
    <>
      <table>
        <caption class="hidden">{pluralize(rows.length, count.noun)}, newest first</caption>
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
              {columns.map((column, index) => (
                <td key={column.name} class={column.hiddenOn}>
                  {index === 0 ? (
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
        {rows.length} of {pluralize(count.total, count.noun)}{' '}
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
