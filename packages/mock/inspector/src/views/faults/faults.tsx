import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import type { PlannedFault } from '../../api/types.ts';
import { command } from '../../live/command.ts';
import { useLive } from '../../live/use-live.ts';
import { Empty } from '../../ui/empty.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { View } from '../../ui/view.tsx';
import { FaultForm } from './fault-form.tsx';
import { faultText } from './fault-text.ts';
import type { Preset } from './presets.ts';
import { PRESETS, plannedOf } from './presets.ts';

const remove = ({ id }: PlannedFault) => command('faults.remove', { params: { id }, changes: ['faults'] });

const clear = () => command('faults.clear', { changes: ['faults'], done: 'All faults are removed.' });

const toggle = (preset: Preset, planned: PlannedFault | undefined) =>
  planned === undefined
    ? command('faults.plan', {
        body: { operation: '*', fault: preset.fault, once: false },
        changes: ['faults'],
      })
    : remove(planned);

const Switches = ({ planned }: { readonly planned: readonly PlannedFault[] }) => {
  // Until the list shows what a click has changed, a second one would change the same again.
  const busy = useRef(new Set<string>());
  useEffect(() => busy.current.clear(), [planned]);
  const click = async (preset: Preset, on: PlannedFault | undefined): Promise<void> => {
    if (busy.current.has(preset.id)) {
      return;
    }
    busy.current.add(preset.id);
    if (!(await toggle(preset, on))) {
      busy.current.delete(preset.id);
    }
  };
  return (
    <section>
      <h2>For every request</h2>
      <ul class="switches">
        {PRESETS.map((preset) => {
          const on = plannedOf(preset, planned);
          return (
            <li key={preset.id}>
              <button
                type="button"
                role="switch"
                class="switch"
                aria-checked={on !== undefined}
                onClick={() => click(preset, on)}
              >
                <span class="switch-track" aria-hidden="true" />
                <span>
                  <strong>{preset.name}</strong>
                  <span class="switch-effect">{preset.effect}</span>
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
};

const Planned = ({ planned }: { readonly planned: readonly PlannedFault[] }) => (
  <ul class="cards">
    {planned.map((each) => (
      <li key={each.id} class="card row">
        <div>
          <strong>{each.operation === '*' ? 'Every request' : each.operation}</strong>
          <span class="sub">
            {each.fault === null ? 'decided by a function' : faultText(each.fault)},{' '}
            {each.once ? 'once' : 'always'}
          </span>
        </div>
        <button
          type="button"
          aria-label={`Remove the fault of ${each.operation}`}
          onClick={() => remove(each)}
        >
          Remove
        </button>
      </li>
    ))}
  </ul>
);

/** What goes wrong with requests. */
export const Faults = () => {
  const live = useLive('faults', ['faults'], async () => (await call<PlannedFault[]>('faults.list')).data);
  const [adding, setAdding] = useState(false);
  return (
    <View
      title="Faults"
      intro="See how the app copes when the API fails."
      tools={
        <>
          <button type="button" onClick={clear}>
            Remove all
          </button>
          <button type="button" class="primary" onClick={() => setAdding(true)}>
            Plan a fault
          </button>
        </>
      }
    >
      <Loaded live={live}>
        {(planned) => (
          <>
            <Switches planned={planned} />
            <section>
              <h2>Planned</h2>
              {planned.length === 0 ? (
                <Empty title="Nothing goes wrong">
                  Switch on a fault above, or plan one for a single operation.
                </Empty>
              ) : (
                <Planned planned={planned} />
              )}
            </section>
          </>
        )}
      </Loaded>
      {adding && <FaultForm onClose={() => setAdding(false)} />}
    </View>
  );
};
