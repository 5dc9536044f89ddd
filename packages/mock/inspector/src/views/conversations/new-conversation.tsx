import { run } from '../../live/action.ts';
import { goTo } from '../../live/route.ts';
import { AreaField, TextField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form.tsx';

/** Writes to the API as a lead with a phone; the lead and the conversation are created if need be. */
export const NewConversation = ({ onClose }: { readonly onClose: () => void }) => (
  <FormDialog
    title="New conversation"
    onClose={onClose}
    submit="Send"
    onSubmit={async ({ phone, channel = '', body }) => {
      const { conversation } = await run<{ conversation: { id: string } }>('inbound', {
        body: { phone, body, ...(channel === '' ? {} : { channel }) },
        changes: ['rows', 'deliveries'],
      });
      goTo('conversations', conversation.id);
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
  </FormDialog>
);
