import { call } from '../../api/call.ts';
import { goTo } from '../../live/route.ts';
import { changed } from '../../live/topics.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { AreaField, TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';

/** Writes to the API as a lead with a phone; the lead and the conversation are created if need be. */
export const NewConversation = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="New conversation" onClose={onClose}>
    <Form
      submit="Send"
      onSubmit={async ({ phone, channel = '', body }) => {
        const { data } = await call<{ conversation: { id: string } }>('inbound', {
          body: { phone, body, ...(channel === '' ? {} : { channel }) },
        });
        changed('rows', 'deliveries');
        onClose();
        goTo('conversations', data.conversation.id);
      }}
    >
      <TextField
        label="Phone of the lead"
        name="phone"
        type="tel"
        required
        placeholder="+5511987654321"
        hint="A lead with this phone goes on writing; any other is created."
      />
      <TextField label="Channel" name="channel" placeholder="live_chat" />
      <AreaField label="Message" name="body" required placeholder="Hello, is the flat still free?" />
    </Form>
  </Dialog>
);
