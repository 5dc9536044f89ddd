import type { ShownEndpoint } from '../../api/types.ts';
import { command, run } from '../../live/action.ts';
import { Removable } from '../../ui/buttons.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/fields.tsx';
import { Middle } from '../../ui/text.tsx';

/** A signature in a few words: `signed in x-webhook-signature`. */
const signatureText = ({ signature }: ShownEndpoint): string =>
  typeof signature === 'string' ? `signed with ${signature}` : `signed in ${signature.header}`;

const remove = ({ id }: ShownEndpoint) =>
  command('webhooks.remove', { params: { id }, done: 'Endpoint removed.' });

interface EndpointsProps {
  readonly endpoints: readonly ShownEndpoint[];
}

/** The endpoints that events are delivered to. */
export const Endpoints = ({ endpoints }: EndpointsProps) => (
  <ul class="lines" aria-label="Endpoints">
    {endpoints.map((endpoint) => (
      <Removable
        key={endpoint.id}
        title={<Middle text={endpoint.url} />}
        text={signatureText(endpoint)}
        what={`the endpoint ${endpoint.url}`}
        onRemove={() => remove(endpoint)}
      />
    ))}
  </ul>
);

/** Adds an endpoint. */
export const EndpointForm = ({ endpoints }: EndpointsProps) => (
  <FormDialog
    title="Add an endpoint"
    submit="Add"
    onSubmit={async ({ url, secret, scheme, header }) => {
      if (endpoints.some((each) => each.url === url)) {
        throw new Error('This `url` already receives all events. Remove its endpoint to change it.');
      }
      const signature = scheme === 'standard' ? 'standard-webhooks' : header && { header };
      const done = 'Endpoint added. It will receive all further events.';
      await run('webhooks.add', { body: { url, secret, signature }, done });
    }}
  >
    <Field label="URL" name="url" type="url" required placeholder="http://127.0.0.1:3000/webhooks" />
    <Field label="Secret" name="secret" required hint="The receiver checks the signature with it." />
    <Field
      type="choice"
      label="Signature"
      name="scheme"
      options={[
        ['header', 'A header with the HMAC of the body'],
        ['standard', 'Standard Webhooks; its secret is whsec_ and base64'],
      ]}
    />
    <Field label="Header" name="header" placeholder="x-webhook-signature" />
  </FormDialog>
);
