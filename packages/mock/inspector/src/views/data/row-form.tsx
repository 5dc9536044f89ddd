import type { CollectionName } from '../../../../src/control/routes.ts';
import type { Row } from '../../api/types.ts';
import { command, run } from '../../live/action.ts';
import { useLive } from '../../live/live.ts';
import { ConfirmButton } from '../../ui/buttons.tsx';
import { AreaField, TextField } from '../../ui/fields.tsx';
import type { Texts } from '../../ui/form.tsx';
import { Dialog, Form } from '../../ui/form.tsx';
import { Loaded } from '../../ui/view.tsx';
import { labelOf, nounOf } from './collections.ts';
import type { RowField } from './row-schema.ts';
import { loadFields } from './row-schema.ts';

interface RowFormProps {
  readonly collection: CollectionName;
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
export const RowForm = ({ collection, row, onClose }: RowFormProps) => {
  const fields = useLive(collection, [], () => loadFields(collection));
  const noun = nounOf(collection);
  const params = { collection, id: row?.id ?? '' };
  const [id, done] =
    row === undefined
      ? (['rows.create', `The ${noun} is created.`] as const)
      : (['rows.update', `The ${noun} is saved.`] as const);
  const save = async (texts: Texts, all: readonly RowField[]): Promise<void> => {
    await run(id, { params, body: changesIn(all, texts, row), changes: ['rows'], done });
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
      <Loaded live={fields}>
        {(all) => {
          const editable = all.filter(({ name }) => name !== 'id');
          return (
            <Form
              submit={row === undefined ? 'Create' : 'Save'}
              onSubmit={(texts) => save(texts, editable)}
              actions={
                row !== undefined && (
                  <ConfirmButton label="Delete" confirm="Delete for good?" onConfirm={remove} />
                )
              }
            >
              {row === undefined && (
                <p class="sub">Fields that you leave empty get a default. No event is emitted.</p>
              )}
              {editable.map((field) => (
                <RowFieldInput key={field.name} field={field} row={row} />
              ))}
            </Form>
          );
        }}
      </Loaded>
    </Dialog>
  );
};
