import { run } from '../../live/action.ts';
import { goTo } from '../../live/route.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/fields.tsx';

/** Sends a message of a lead. Creates the lead and the conversation if there are none. */
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
      label="Phone number of the lead"
      name="phone"
      type="tel"
      required
      placeholder="+5511987654321"
      hint="If no lead has this number, one is created."
    />
    <Field label="Channel" name="channel" placeholder="live_chat" />
    <Field type="area" label="Message" name="body" required placeholder="Hello, is the flat still free?" />
  </FormDialog>
);
