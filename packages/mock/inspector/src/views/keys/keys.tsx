import { useEffect, useId, useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import type { ClockState, Key } from '../../api/types.ts';
import { command } from '../../live/action.ts';
import { changed, useLive } from '../../live/live.ts';
import { ConfirmButton } from '../../ui/buttons.tsx';
import { counted } from '../../ui/text.tsx';
import { Empty, Loaded, View } from '../../ui/view.tsx';
import { KeyForm } from './key-form.tsx';

const load = async () => {
  const [{ data: keys }, { data: clock }] = await Promise.all([
    call<Key[]>('keys.list'),
    call<ClockState>('clock.get'),
  ]);
  return { keys, drains: clock.kind === 'system' && keys.some(({ used }) => used > 0) };
};

/** On the system clock, windows empty by themselves, without any event. */
const useDraining = (drains: boolean): void => {
  useEffect(() => {
    const timer = drains ? setInterval(() => changed('keys'), 1_000) : undefined;
    return () => clearInterval(timer);
  }, [drains]);
};

const revoke = ({ id }: Key) =>
  command('keys.revoke', { body: { key: id }, changes: ['keys'], done: 'The key is revoked.' });

const spanText = (ms: number): string =>
  ms === 60_000 ? 'minute' : ms % 1_000 === 0 ? counted(ms / 1_000, 'second') : `${ms} ms`;

/** How full the rate-limit window of a key is. */
const Window = ({ shown: { used, rateLimit } }: { readonly shown: Key }) => {
  const id = useId();
  const { requests, perMs } = rateLimit;
  if (requests === null) {
    return <p class="sub">No rate limit; {counted(used, 'request')} lately.</p>;
  }
  return (
    <div class="window">
      <label for={id}>
        {used} of {counted(requests, 'request')} per {spanText(perMs)}
      </label>
      <meter id={id} min={0} max={requests} value={used} high={requests * 0.8} optimum={0} />
    </div>
  );
};

const KeyCard = ({ shown }: { readonly shown: Key }) => (
  <li class="card">
    <div class="card-head">
      <code class="id">{shown.id}</code>
      <ConfirmButton label="Revoke" confirm="Revoke for good?" onConfirm={() => revoke(shown)} />
    </div>
    <Window shown={shown} />
    <ul class="chips" aria-label="Scopes">
      {shown.scopes.map((scope) => (
        <li key={scope}>{scope}</li>
      ))}
      {shown.scopes.length === 0 && <li>no scopes</li>}
    </ul>
  </li>
);

/** The keys, with what they may do and how full their windows are. */
export const Keys = () => {
  const live = useLive('keys', ['keys', 'requests', 'clock'], load);
  const [adding, setAdding] = useState(false);
  useDraining(live.value?.drains ?? false);
  return (
    <View
      title="Keys and limits"
      intro="Every key has its scopes, and a sliding window that fills with each request."
      tools={
        <button type="button" class="primary" onClick={() => setAdding(true)}>
          Create a key
        </button>
      }
    >
      <Loaded live={live}>
        {({ keys }) =>
          keys.length === 0 ? (
            <Empty title="No key is valid">Create a key: without one, every request gets a 401.</Empty>
          ) : (
            <ul class="cards">
              {keys.map((key) => (
                <KeyCard key={key.id} shown={key} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {adding && (
        <KeyForm
          scopes={[...new Set((live.value?.keys ?? []).flatMap(({ scopes }) => scopes))]}
          onClose={() => setAdding(false)}
        />
      )}
    </View>
  );
};
