import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import type { PlannedFault } from '../../api/types.ts';
import { attempt, command, run } from '../../live/action.ts';
import { useLive } from '../../live/live.ts';
import { Removable } from '../../ui/buttons.tsx';
import { Empty, Loaded, View } from '../../ui/view.tsx';
import { FaultForm } from './fault-form.tsx';
import type { Preset } from './presets.ts';
import { faultText, PRESETS, plannedOf } from './presets.ts';

const clear = () => command('faults.clear', { changes: ['faults'], done: 'All faults are removed.' });

interface SwitchProps {
  readonly preset: Preset;
  /** The id of its fault, if the mock has planned it for all requests. */
  readonly planned: string | undefined;
}

const Switch = ({ preset: { name, effect, fault }, planned }: SwitchProps) => {
  // The list follows later, and must not hold up a further click.
  const [id, setId] = useState(planned);
  useEffect(() => setId(planned), [planned]);
  const [asked, setAsked] = useState<boolean>();
  const busy = useRef(false);
  const toggle = async (): Promise<void> => {
    if (id !== undefined) {
      await run('faults.remove', { params: { id }, changes: ['faults'] });
      setId(undefined);
      return;
    }
    const body = { operation: '*', fault, once: false };
    const made = await run<{ id: string }>('faults.plan', { body, changes: ['faults'] });
    setId(made.id);
  };
  const click = async (): Promise<void> => {
    // Known at once: a second click would ask for the same again.
    if (!busy.current) {
      busy.current = true;
      setAsked(id === undefined);
      await attempt(toggle);
      setAsked(undefined);
      busy.current = false;
    }
  };
  return (
    <button
      type="button"
      role="switch"
      class="switch"
      aria-checked={asked ?? id !== undefined}
      onClick={click}
    >
      <span class="switch-track" aria-hidden="true" />
      <span>
        <strong>{name}</strong>
        <span class="sub">{effect}</span>
      </span>
    </button>
  );
};

const Switches = ({ planned }: { readonly planned: readonly PlannedFault[] }) => (
  <section>
    <h2>For every request</h2>
    <ul class="columns">
      {PRESETS.map((preset) => (
        <li key={preset.name}>
          <Switch preset={preset} planned={plannedOf(preset, planned)?.id} />
        </li>
      ))}
    </ul>
  </section>
);

const Planned = ({ planned }: { readonly planned: readonly PlannedFault[] }) => (
  <ul class="cards">
    {planned.map(({ id, operation, fault, once }) => (
      <Removable
        key={id}
        title={operation === '*' ? 'Every request' : operation}
        text={`${fault === null ? 'decided by a function' : faultText(fault)}, ${once ? 'once' : 'always'}`}
        what={`the fault of ${operation}`}
        onRemove={() => command('faults.remove', { params: { id }, changes: ['faults'] })}
      />
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
