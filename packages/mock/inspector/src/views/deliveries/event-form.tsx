import { CallError, call } from '../../api/call.ts';
import { sayDone } from '../../live/notices.ts';
import { changed } from '../../live/topics.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { AreaField, TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CallError(`The data is not JSON: ${error instanceof Error ? error.message : error}`);
  }
};

/** Sends an event that no operation emits. */
export const EventForm = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Send an event" onClose={onClose}>
    <Form
      submit="Send"
      onSubmit={async ({ event, data = '' }) => {
        await call('webhooks.emit', { body: { event, data: parsed(data) } });
        changed('deliveries');
        sayDone('The event is on its way.');
        onClose();
      }}
    >
      <TextField label="Event" name="event" required placeholder="lead.status_changed" />
      <AreaField label="Data, as JSON" name="data" value="{}" required />
    </Form>
  </Dialog>
);
