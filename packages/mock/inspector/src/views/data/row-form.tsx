import type { Row } from '../../api/types.ts';
import { command, run } from '../../live/action.ts';
import { ConfirmButton } from '../../ui/buttons.tsx';
import { AreaField, TextField } from '../../ui/fields.tsx';
import type { Texts } from '../../ui/form.tsx';
import { Dialog, Form } from '../../ui/form.tsx';
import type { Resource, RowField } from './resources.ts';
import { labelOf } from './resources.ts';

interface RowFormProps {
  readonly resource: Resource;
  /** The row to edit; `undefined` to create one. */
  readonly row: Row | undefined;
  readonly onClose: () => void;
}

const LONG = new Set(['content', 'notes', 'description']);

const shownText = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/** The fields whose texts differ from the row; an empty text means null where a field may be null. */
const changesIn = (fields: readonly RowField[], texts: Texts, row: Row | undefined): object =>
  Object.fromEntries(
    fields.flatMap(({ name, nullable }) => {
      const text = texts[name];
      return text === undefined || text === shownText(row?.[name])
        ? []
        : [[name, text === '' && nullable ? null : text]];
    }),
  );

const hintOf = ({ nullable, name }: RowField, isNew: boolean): string | undefined => {
  if (isNew) {
    return name.endsWith('At') ? 'Now, if it is empty.' : undefined;
  }
  return nullable ? 'Empty means null.' : undefined;
};

const RowFieldInput = ({ field, row }: { readonly field: RowField; readonly row: Row | undefined }) => {
  const { name, required, options } = field;
  const shared = {
    name,
    label: labelOf(name),
    value: shownText(row?.[name]),
    hint: hintOf(field, row === undefined),
    required,
  };
  return LONG.has(name) ? <AreaField {...shared} /> : <TextField {...shared} options={options} />;
};

/** Creates a row, or edits one. */
export const RowForm = ({ resource: { name, noun, fields }, row, onClose }: RowFormProps) => {
  const editable = fields.filter((field) => field.name !== 'id');
  const params = { collection: name, id: row?.id ?? '' };
  const [id, done] =
    row === undefined
      ? (['rows.create', `The ${noun} is created.`] as const)
      : (['rows.update', `The ${noun} is saved.`] as const);
  const save = async (texts: Texts): Promise<void> => {
    await run(id, { params, body: changesIn(editable, texts, row), changes: ['rows'], done });
    onClose();
  };
  const remove = async (): Promise<void> => {
    if (await command('rows.delete', { params, changes: ['rows'], done: `The ${noun} is deleted.` })) {
      onClose();
    }
  };
  return (
    <Dialog title={row === undefined ? `New ${noun}` : `Edit the ${noun}`} onClose={onClose}>
      {row !== undefined && <code class="id">{row.id}</code>}
      <Form
        submit={row === undefined ? 'Create' : 'Save'}
        onSubmit={save}
        actions={
          row !== undefined && <ConfirmButton label="Delete" confirm="Delete for good?" onConfirm={remove} />
        }
      >
        {row === undefined && (
          <p class="sub">Fields that you leave empty get a default. No event is emitted.</p>
        )}
        {editable.map((field) => (
          <RowFieldInput key={field.name} field={field} row={row} />
        ))}
      </Form>
    </Dialog>
  );
};
