import type { ShownEndpoint } from '../../api/types.ts';
import { command, run } from '../../live/action.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form.tsx';

/** A signature in a few words: `signed in x-webhook-signature, as hex`. */
export const signatureText = (signature: unknown): string => {
  if (typeof signature === 'string') {
    return `signed with ${signature}`;
  }
  const { header, encoding, name } = (signature ?? {}) as Partial<Record<string, unknown>>;
  if (typeof header === 'string') {
    return `signed in ${header}${typeof encoding === 'string' ? `, as ${encoding}` : ''}`;
  }
  return typeof name === 'string' ? `signed with ${name}` : `signed: ${JSON.stringify(signature)}`;
};

const remove = ({ id }: ShownEndpoint) =>
  command('webhooks.remove', { params: { id }, changes: ['endpoints'], done: 'The endpoint is removed.' });

/** The endpoints that events are delivered to. */
export const Endpoints = ({ endpoints }: { readonly endpoints: readonly ShownEndpoint[] }) => (
  <ul class="cards" aria-label="Endpoints">
    {endpoints.map((endpoint) => (
      <li key={endpoint.id} class="card row">
        <div>
          <strong class="break">{endpoint.url}</strong>
          <span class="sub">{signatureText(endpoint.signature)}</span>
        </div>
        <button
          type="button"
          aria-label={`Remove the endpoint ${endpoint.url}`}
          onClick={() => remove(endpoint)}
        >
          Remove
        </button>
      </li>
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
        done: 'Events are delivered there from now on.',
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
