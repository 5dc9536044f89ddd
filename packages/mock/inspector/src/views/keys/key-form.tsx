import { useState } from 'preact/hooks';
import { run } from '../../live/action.ts';
import { CopyButton } from '../../ui/buttons.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Dialog, Form } from '../../ui/form.tsx';

interface KeyFormProps {
  /** The scopes to choose from. */
  readonly scopes: readonly string[];
  readonly onClose: () => void;
}

/** Creates a key, and shows it this once. */
export const KeyForm = ({ scopes, onClose }: KeyFormProps) => {
  const [key, setKey] = useState<string>();
  if (key !== undefined) {
    return (
      <Dialog title="The new key" onClose={onClose}>
        <p>Copy it now: the mock does not list keys, only their ids.</p>
        <div class="field">
          <label for="new-key">Key</label>
          <input id="new-key" readOnly value={key} onFocus={(event) => event.currentTarget.select()} />
        </div>
        <CopyButton what="new key" text={key} />
      </Dialog>
    );
  }
  return (
    <Dialog title="Create a key" onClose={onClose}>
      <Form
        submit="Create"
        onSubmit={async ({ limit = '' }, form) => {
          const chosen = new FormData(form).getAll('scope');
          const created = await run<{ key: string }>('keys.create', {
            body: {
              ...(scopes.length === 0 ? {} : { scopes: chosen }),
              ...(limit === '' ? {} : { rateLimit: Number(limit) }),
            },
            changes: ['keys'],
          });
          setKey(created.key);
        }}
      >
        <fieldset>
          <legend>Scopes</legend>
          {scopes.map((scope) => (
            <label class="check" key={scope}>
              <input type="checkbox" name="scope" value={scope} defaultChecked />
              {scope}
            </label>
          ))}
          {scopes.length === 0 && <p>The key gets every scope.</p>}
        </fieldset>
        <TextField
          label="Requests per minute"
          name="limit"
          type="number"
          min={1}
          hint="Leave it empty for the limit of the mock."
        />
      </Form>
    </Dialog>
  );
};
