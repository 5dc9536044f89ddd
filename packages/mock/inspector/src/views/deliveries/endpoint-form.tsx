import { call } from '../../api/call.ts';
import { sayDone } from '../../live/notices.ts';
import { changed } from '../../live/topics.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';

/** Adds an endpoint. */
export const EndpointForm = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Add an endpoint" onClose={onClose}>
    <Form
      submit="Add"
      onSubmit={async ({ url, secret, scheme, header = '' }) => {
        const own = header === '' ? {} : { signature: { header } };
        await call('webhooks.add', {
          body: { url, secret, ...(scheme === 'standard' ? { signature: 'standard-webhooks' } : own) },
        });
        changed('endpoints');
        sayDone('Events are delivered there from now on.');
        onClose();
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
    </Form>
  </Dialog>
);
