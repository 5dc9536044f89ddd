import { run } from '../../live/action.ts';
import { Field } from '../../ui/fields.tsx';
import type { Closable } from '../../ui/form.tsx';
import { FormDialog, jsonIn } from '../../ui/form.tsx';

/** Sends an event that no operation emits. */
export const EventForm = ({ onClose }: Closable) => (
  <FormDialog
    title="Send an event"
    onClose={onClose}
    submit="Send"
    onSubmit={(texts) =>
      run('webhooks.emit', {
        body: { event: texts.event, data: jsonIn(texts, 'data') },
        changes: ['deliveries'],
        done: 'Event sent.',
      })
    }
  >
    <Field label="Event" name="event" required placeholder="lead.status_changed" />
    <Field type="area" label="Data, as JSON" name="data" value="{}" required />
  </FormDialog>
);
