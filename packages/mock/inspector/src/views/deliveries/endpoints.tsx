import type { ShownEndpoint } from '../../api/types.ts';
import { command, run } from '../../live/action.ts';
import { Removable } from '../../ui/buttons.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form.tsx';

/** A signature in a few words: `signed in x-webhook-signature, as hex`. */
export const signatureText = (signature: unknown): string => {
  if (typeof signature === 'string') {
    return `signed with ${signature}`;
  }
  const { header, encoding } = (signature ?? {}) as { header?: string; encoding?: string };
  if (header === undefined) {
    return 'signed by a scheme of its own';
  }
  return `signed in ${header}${encoding === undefined ? '' : `, as ${encoding}`}`;
};

const remove = ({ id }: ShownEndpoint) =>
  command('webhooks.remove', { params: { id }, changes: ['endpoints'], done: 'The endpoint is removed.' });

/** The endpoints that events are delivered to. */
export const Endpoints = ({ endpoints }: { readonly endpoints: readonly ShownEndpoint[] }) => (
  <ul class="cards" aria-label="Endpoints">
    {endpoints.map((endpoint) => (
      <Removable
        key={endpoint.id}
        title={endpoint.url}
        text={signatureText(endpoint.signature)}
        what={`the endpoint ${endpoint.url}`}
        onRemove={() => remove(endpoint)}
      />
    ))}
  </ul>
);

/** Adds an endpoint. */
export const EndpointForm = ({ onClose }: { readonly onClose: () => void }) => (
  <FormDialog
    title="Add an endpoint"
    onClose={onClose}
    submit="Add"
    onSubmit={({ url, secret, scheme, header = '' }) => {
      const own = header === '' ? {} : { signature: { header } };
      return run('webhooks.add', {
        body: { url, secret, ...(scheme === 'standard' ? { signature: 'standard-webhooks' } : own) },
        changes: ['endpoints'],
        done: 'The endpoint was added and will receive all further events.',
      });
    }}
  >
    <TextField label="URL" name="url" type="url" required placeholder="http://127.0.0.1:3000/webhooks" />
    <TextField label="Secret" name="secret" required hint="The receiver checks the signature with it." />
    <SelectField
      label="Signature"
      name="scheme"
      options={[
        ['header', 'A header with the HMAC of the body'],
        ['standard', 'Standard Webhooks; its secret is whsec_ and base64'],
      ]}
    />
    <TextField label="Header" name="header" placeholder="x-webhook-signature" />
  </FormDialog>
);
