import type { CollectionName } from '../../../../src/control/routes.ts';
import { call } from '../../api/call.ts';
import type { Row } from '../../api/types.ts';
import { attempt, sayDone } from '../../live/notices.ts';
import { changed } from '../../live/topics.ts';
import { useLive } from '../../live/use-live.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { AreaField, TextField } from '../../ui/fields.tsx';
import type { Texts } from '../../ui/form.tsx';
import { Form } from '../../ui/form.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { labelOf, NOUNS } from './collections.ts';
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
  const noun = NOUNS[collection];
  const params = { collection, id: row?.id ?? '' };
  const save = async (texts: Texts, all: readonly RowField[]): Promise<void> => {
    const body = changesIn(all, texts, row);
    await (row === undefined ? call('rows.create', { params, body }) : call('rows.update', { params, body }));
    changed('rows');
    sayDone(`The ${noun} is ${row === undefined ? 'created' : 'saved'}.`);
    onClose();
  };
  const remove = () =>
    attempt(async () => {
      await call('rows.delete', { params });
      changed('rows');
      onClose();
      return `The ${noun} is deleted.`;
    });
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
                <p class="hint">Fields that you leave empty get a default. No event is emitted.</p>
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
