import { run } from '../../live/action.ts';
import { goTo } from '../../live/route.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/fields.tsx';

/** Writes to the API as a lead with a phone; the lead and the conversation are created if need be. */
export const NewConversation = () => (
  <FormDialog
    title="New conversation"
    submit="Send"
    onSubmit={async ({ phone, channel, body }) => {
      const { conversation } = await run('inbound', { body: { phone, channel, body } });
      goTo('conversations', conversation.id);
    }}
  >
    <Field
      label="Phone of the lead"
      name="phone"
      type="tel"
      required
      placeholder="+5511987654321"
      hint="A lead with this phone goes on writing; any other is created."
    />
    <Field label="Channel" name="channel" placeholder="live_chat" />
    <Field type="area" label="Message" name="body" required placeholder="Hello, is the flat still free?" />
  </FormDialog>
);
