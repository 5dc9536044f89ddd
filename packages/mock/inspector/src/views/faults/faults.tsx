import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import type { FaultList, PlannedFault } from '../../api/types.ts';
import { attempt, command, run } from '../../live/action.ts';
import { useLive } from '../../live/live.ts';
import { Button, Removable } from '../../ui/buttons.tsx';
import { DialogButton } from '../../ui/dialog.tsx';
import { pluralize } from '../../ui/text.tsx';
import { Empty, Loaded, View } from '../../ui/view.tsx';
import { FaultForm } from './fault-form.tsx';
import { faultText } from './fault-text.ts';
import type { Preset } from './presets.ts';
import { PRESETS, plannedOf } from './presets.ts';

const clear = () => command('faults.clear', { done: 'All faults removed.' });

interface SwitchProps {
  readonly preset: Preset;
  /** The id of its fault, if the mock has planned it for all requests. */
  readonly planned: string | undefined;
}

const Switch = ({ preset: [name, effect, fault], planned }: SwitchProps) => {
  // Kept here, because the list arrives later and a second click must not wait for it.
  const [id, setId] = useState(planned);
  useEffect(() => setId(planned), [planned]);
  const busy = useRef(false);
  const toggle = async (): Promise<void> => {
    // A ref, because a second click may come before the next rendering.
    if (busy.current) {
      return;
    }
    busy.current = true;
    await attempt(async () => {
      if (id === undefined) {
        const body = { operation: '*', fault, once: false };
        setId((await run('faults.plan', { body })).id);
      } else {
        await run('faults.remove', { params: { id } });
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

/** A key that equal faults share. A function has a key of its own. */
const keyOf = ({ id, operation, fault, once }: PlannedFault): string =>
  JSON.stringify([operation, fault ?? id, once]);

/** Equal faults, with the number of their uses: `used 2 of 3 times`. */
const Line = ({ list: { data, meta }, like }: { readonly list: FaultList; readonly like: PlannedFault }) => {
  const { operation, fault, once } = like;
  const isLike = (each: PlannedFault) => keyOf(each) === keyOf(like);
  const left = data.filter(isLike);
  const usedUp = meta.usedUp.filter(isLike).length;
  const uses = once
    ? `used ${usedUp} of ${pluralize(usedUp + left.length, 'time')}`
    : `always, used ${pluralize(like.used, 'time')}`;
  const remove = async () => {
    for (const { id } of left) {
      await command('faults.remove', { params: { id } });
    }
  };
  return (
    <Removable
      title={operation === '*' ? 'Every request' : operation}
      text={`${fault === null ? 'decided by a function' : faultText(fault)}, ${uses}`}
      what={`the fault of ${operation}`}
      onRemove={left.length > 0 ? remove : undefined}
    />
  );
};

const Planned = ({ list }: { readonly list: FaultList }) => {
  const byKey = new Map([...list.meta.usedUp, ...list.data].map((planned) => [keyOf(planned), planned]));
  return byKey.size === 0 ? (
    <Empty title="Nothing goes wrong">Switch on a fault above, or plan one for a single operation.</Empty>
  ) : (
    <ul class="lines" aria-label="Planned faults">
      {[...byKey].map(([key, like]) => (
        <Line key={key} list={list} like={like} />
      ))}
    </ul>
  );
};

/** The planned faults of requests. */
export const Faults = () => {
  const live = useLive(['faults'], () => call('faults.list'));
  return (
    <View
      title="Faults"
      intro="See how the app copes when the API fails."
      tools={
        <>
          <Button label="Remove all" onClick={clear} />
          <DialogButton label="Plan a fault" dialog={<FaultForm />} />
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
              <Planned list={list} />
            </section>
          </>
        )}
      </Loaded>
    </View>
  );
};
