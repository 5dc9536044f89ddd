import { run } from '../../live/action.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/fields.tsx';
import { jsonIn } from '../../ui/form.tsx';

/** Sends an event that no operation emits. */
export const EventForm = () => (
  <FormDialog
    title="Send an event"
    submit="Send"
    onSubmit={(texts) => {
      const body = { event: texts.event, data: jsonIn(texts, 'data') };
      return run('webhooks.emit', { body, done: 'Event sent.' });
    }}
  >
    <Field label="Event" name="event" required placeholder="lead.status_changed" />
    <Field type="area" label="Data, as JSON" name="data" value="{}" required />
  </FormDialog>
);
