import { call } from '../../api/call.ts';
import { sayDone } from '../../live/notices.ts';
import { changed } from '../../live/topics.ts';
import { useLive } from '../../live/use-live.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { loadOperations } from './operations.ts';
import { PRESETS } from './presets.ts';

/** Plans a fault for one operation, or for all. */
export const FaultForm = ({ onClose }: { readonly onClose: () => void }) => {
  const operations = useLive('operations', [], loadOperations);
  return (
    <Dialog title="Plan a fault" onClose={onClose}>
      {operations.problem !== undefined && (
        <p class="problem" role="alert">
          {operations.problem}
        </p>
      )}
      <Form
        submit="Plan it"
        onSubmit={async ({ operation, preset, times }) => {
          const fault = PRESETS.find(({ id }) => id === preset)?.fault;
          await call('faults.plan', { body: { operation, fault, once: times === 'once' } });
          changed('faults');
          sayDone('The fault is planned.');
          onClose();
        }}
      >
        <SelectField
          label="Operation"
          name="operation"
          options={[['*', 'Every request'], ...(operations.value ?? []).map((id) => [id, id] as const)]}
        />
        <SelectField
          label="What happens"
          name="preset"
          options={PRESETS.map(({ id, name, effect }) => [id, `${name}: ${effect}`] as const)}
        />
        <SelectField
          label="How often"
          name="times"
          options={[
            ['once', 'Once'],
            ['always', 'Always'],
          ]}
        />
      </Form>
    </Dialog>
  );
};
