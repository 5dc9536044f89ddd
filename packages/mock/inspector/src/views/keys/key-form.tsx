import { useState } from 'preact/hooks';
import { run } from '../../live/action.ts';
import { CopyButton } from '../../ui/buttons.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';

const selectAll = (input: HTMLInputElement | null): void => input?.select();

/** Creates a key, and shows it only once. */
export const KeyForm = ({ scopes }: { readonly scopes: readonly string[] }) => {
  const [key, setKey] = useState<string>();
  if (key !== undefined) {
    return (
      <Dialog title="The new key">
        <p>Copy it now: later, only its last characters are shown.</p>
        <div class="field">
          <label for="new-key">Key</label>
          <input id="new-key" ref={selectAll} readOnly value={key} />
        </div>
        <CopyButton what="new key" text={key} />
      </Dialog>
    );
  }
  return (
    <Dialog title="Create a key">
      <Form
        submit="Create"
        onSubmit={async ({ rateLimit }, form) => {
          const chosen = scopes.length > 0 ? new FormData(form).getAll('scope') : undefined;
          const body = { scopes: chosen, rateLimit: rateLimit && Number(rateLimit) };
          setKey((await run('keys.create', { body })).key);
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
        <Field
          label="Requests per minute"
          name="rateLimit"
          type="number"
          min={1}
          hint="Leave it empty for the limit of the mock."
        />
      </Form>
    </Dialog>
  );
};
