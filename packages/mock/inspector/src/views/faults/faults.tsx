import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import type { FaultList, PlannedFault } from '../../api/types.ts';
import { attempt, command, run } from '../../live/action.ts';
import { useLive } from '../../live/live.ts';
import { DialogButton, Removable } from '../../ui/buttons.tsx';
import { counted } from '../../ui/text.tsx';
import { Empty, Loaded, View } from '../../ui/view.tsx';
import { FaultForm } from './fault-form.tsx';
import type { Preset } from './presets.ts';
import { faultText, PRESETS, plannedOf } from './presets.ts';

const clear = () => command('faults.clear', { changes: ['faults'], done: 'All faults removed.' });

interface SwitchProps {
  readonly preset: Preset;
  /** The id of its fault, if the mock has planned it for all requests. */
  readonly planned: string | undefined;
}

const Switch = ({ preset: [name, effect, fault], planned }: SwitchProps) => {
  // The list follows later, and must not hold up a further click.
  const [id, setId] = useState(planned);
  useEffect(() => setId(planned), [planned]);
  const busy = useRef(false);
  const toggle = async (): Promise<void> => {
    // Known at once: a second click would ask for the same again.
    if (busy.current) {
      return;
    }
    busy.current = true;
    await attempt(async () => {
      if (id === undefined) {
        const body = { operation: '*', fault, once: false };
        setId((await run<{ id: string }>('faults.plan', { body, changes: ['faults'] })).id);
      } else {
        await run('faults.remove', { params: { id }, changes: ['faults'] });
        setId(undefined);
      }
    });
    busy.current = false;
  };
  return (
    <button type="button" role="switch" class="card switch" aria-checked={id !== undefined} onClick={toggle}>
      <span>
        <strong>{name}</strong>
        <span class="sub">{effect}</span>
      </span>
    </button>
  );
};

/** Equal faults as one: those that are planned, and how many were used up. */
interface Group {
  readonly first: PlannedFault;
  readonly left: PlannedFault[];
  used: number;
}

const groupsOf = ({ data, meta: { usedUp } }: FaultList): Group[] => {
  const groups = new Map<string, Group>();
  for (const planned of [...usedUp, ...data]) {
    const { operation, fault, once, id } = planned;
    // A function is equal to no other.
    const key = JSON.stringify([operation, fault ?? id, once]);
    const group = groups.get(key) ?? { first: planned, left: [], used: 0 };
    groups.set(key, group);
    if (data.includes(planned)) {
      group.left.push(planned);
    }
    group.used += once && data.includes(planned) ? 0 : planned.used;
  }
  return [...groups.values()];
};

/** How often a fault takes effect: `used 2 of 3 times`. */
const usesOf = ({ first, left, used }: Group): string =>
  first.once
    ? `used ${used} of ${counted(left.length + used, 'time')}`
    : `always, used ${counted(used, 'time')}`;

const Planned = ({ group }: { readonly group: Group }) => {
  const { operation, fault } = group.first;
  const remove = async () => {
    for (const { id } of group.left) {
      await command('faults.remove', { params: { id }, changes: ['faults'] });
    }
  };
  return (
    <Removable
      title={operation === '*' ? 'Every request' : operation}
      text={`${fault === null ? 'decided by a function' : faultText(fault)}, ${usesOf(group)}`}
      what={`the fault of ${operation}`}
      onRemove={group.left.length > 0 ? remove : undefined}
    />
  );
};

/** What goes wrong with requests. */
export const Faults = () => {
  const live = useLive('faults', ['faults'], () => call<FaultList['data'], FaultList['meta']>('faults.list'));
  return (
    <View
      title="Faults"
      intro="See how the app copes when the API fails."
      tools={
        <>
          <button type="button" onClick={clear}>
            Remove all
          </button>
          <DialogButton label="Plan a fault">{(close) => <FaultForm onClose={close} />}</DialogButton>
        </>
      }
    >
      <Loaded live={live}>
        {(list) => (
          <>
            <section>
              <h2>For every request</h2>
              <ul class="columns">
                {PRESETS.map((preset) => (
                  <li key={preset[0]}>
                    <Switch preset={preset} planned={plannedOf(preset, list.data)?.id} />
                  </li>
                ))}
              </ul>
            </section>
            <section>
              <h2>Planned</h2>
              {list.data.length + list.meta.usedUp.length === 0 ? (
                <Empty title="Nothing goes wrong">
                  Switch on a fault above, or plan one for a single operation.
                </Empty>
              ) : (
                <ul class="lines" aria-label="Planned faults">
                  {groupsOf(list).map((group) => (
                    <Planned key={group.first.id} group={group} />
                  ))}
                </ul>
              )}
            </section>
          </>
        )}
      </Loaded>
    </View>
  );
};
