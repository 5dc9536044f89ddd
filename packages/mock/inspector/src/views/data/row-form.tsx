import { useContext } from 'preact/hooks';
import type { Row } from '../../api/types.ts';
import { command, run } from '../../live/action.ts';
import { ConfirmButton } from '../../ui/buttons.tsx';
import { Closing, FormDialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/fields.tsx';
import type { Texts } from '../../ui/form.tsx';
import type { Resource, RowField } from './resources.ts';
import { labelOf } from './resources.ts';

const LONG = new Set(['content', 'notes', 'description']);

const shownText = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/** The fields whose texts differ from the row. An empty text means null if the field may be null. */
const changesIn = (fields: readonly RowField[], texts: Texts, row: Row | undefined): object =>
  Object.fromEntries(
    fields
      .map(({ name, nullable }) => ({ name, nullable, text: texts[name] ?? '' }))
      .filter(({ name, text }) => text !== shownText(row?.[name]))
      .map(({ name, nullable, text }) => [name, text === '' && nullable ? null : text]),
  );

/** Puts the fields of the table first and the ids of other rows last. */
const sortFields = (fields: readonly RowField[], columns: readonly string[]): readonly RowField[] => {
  const rank = ({ name }: RowField): number =>
    name.endsWith('Id') ? 1_000 : columns.includes(name) ? columns.indexOf(name) : columns.length;
  return fields.toSorted((a, b) => rank(a) - rank(b));
};

/** Edits a row, or creates one if there is none. */
export const RowForm = ({
  resource: { name, noun, columns, fields },
  row,
}: {
  readonly resource: Resource;
  readonly row?: Row;
}) => {
  const close = useContext(Closing);
  const editable = sortFields(
    fields.filter((field) => field.name !== 'id'),
    columns,
  );
  const params = { collection: name, id: row?.id ?? '' };
  const save = (texts: Texts) => {
    const input = { params, body: changesIn(editable, texts, row) };
    return row === undefined
      ? run('rows.create', { ...input, done: `${labelOf(noun)} created.` })
      : run('rows.update', { ...input, done: `${labelOf(noun)} saved.` });
  };
  const remove = async (): Promise<void> => {
    if (await command('rows.delete', { params, done: `${labelOf(noun)} deleted.` })) {
      close();
    }
  };
  return (
    <FormDialog
      title={row === undefined ? `New ${noun}` : `Edit the ${noun}`}
      submit={row === undefined ? 'Create' : 'Save'}
      onSubmit={save}
      actions={row && <ConfirmButton label="Delete" confirm="Delete for good?" onConfirm={remove} />}
    >
      {row === undefined ? (
        <p class="sub">Fields that you leave empty get a default. No event is emitted.</p>
      ) : (
        <code>{row.id}</code>
      )}
      {editable.map(({ nullable, ...field }) => (
        <Field
          key={field.name}
          {...field}
          label={labelOf(field.name)}
          type={LONG.has(field.name) ? 'area' : 'text'}
          value={shownText(row?.[field.name])}
          hint={row !== undefined && nullable ? 'Empty means null.' : undefined}
        />
      ))}
    </FormDialog>
  );
};
