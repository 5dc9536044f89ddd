import { readJson, send } from '../../api/call.ts';
import { run } from '../../live/action.ts';
import { useLive } from '../../live/live.ts';
import { SelectField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { Problem } from '../../ui/view.tsx';
import { PRESETS } from './presets.ts';

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
}

/** The names of the API's operations, from the OpenAPI document of the mock. */
const loadOperations = async (): Promise<readonly string[]> => {
  const { paths } = await readJson<ApiDocument>(await send('../openapi.json'));
  return Object.values(paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ operationId }) => operationId ?? [])
    .sort();
};

/** Plans a fault for one operation, or for all. */
export const FaultForm = ({ onClose }: { readonly onClose: () => void }) => {
  const { value: operations = [], problem } = useLive('operations', [], loadOperations);
  return (
    <FormDialog
      title="Plan a fault"
      onClose={onClose}
      submit="Plan it"
      onSubmit={({ operation, preset, times }) =>
        run('faults.plan', {
          body: {
            operation,
            fault: PRESETS.find(({ name }) => name === preset)?.fault,
            once: times === 'once',
          },
          changes: ['faults'],
          done: 'The fault is planned.',
        })
      }
    >
      <Problem text={problem} />
      <SelectField
        label="Operation"
        name="operation"
        options={[['*', 'Every request'], ...operations.map((id) => [id, id] as const)]}
      />
      <SelectField
        label="What happens"
        name="preset"
        options={PRESETS.map(({ name, effect }) => [name, `${name}: ${effect}`] as const)}
      />
      <SelectField
        label="How often"
        name="times"
        options={[
          ['once', 'Once'],
          ['always', 'Always'],
        ]}
      />
    </FormDialog>
  );
};
