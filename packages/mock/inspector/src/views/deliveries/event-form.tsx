import { CallError } from '../../api/call.ts';
import { messageOf, run } from '../../live/action.ts';
import { AreaField, TextField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form.tsx';

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CallError(`The data is not JSON: ${messageOf(error)}`);
  }
};

/** Sends an event that no operation emits. */
export const EventForm = ({ onClose }: { readonly onClose: () => void }) => (
  <FormDialog
    title="Send an event"
    onClose={onClose}
    submit="Send"
    onSubmit={async ({ event, data = '' }) =>
      run('webhooks.emit', {
        body: { event, data: parsed(data) },
        changes: ['deliveries'],
        done: 'The event is on its way.',
      })
    }
  >
    <TextField label="Event" name="event" required placeholder="lead.status_changed" />
    <AreaField label="Data, as JSON" name="data" value="{}" required />
  </FormDialog>
);
