import { useId } from 'preact/hooks';
import { call } from '../../api/call.ts';
import type { Key } from '../../api/types.ts';
import { command } from '../../live/action.ts';
import { info, useTick } from '../../live/info.ts';
import { useLive } from '../../live/live.ts';
import { ConfirmButton } from '../../ui/buttons.tsx';
import { DialogButton } from '../../ui/dialog.tsx';
import { Badge, pluralize } from '../../ui/text.tsx';
import { Empty, Loaded, View } from '../../ui/view.tsx';
import { KeyForm } from './key-form.tsx';

const revoke = ({ id }: Key) => command('keys.revoke', { body: { key: id }, done: 'Key revoked.' });

const spanText = (ms: number): string =>
  ms === 60_000 ? 'minute' : ms % 1_000 === 0 ? pluralize(ms / 1_000, 'second') : `${ms} ms`;

/** How full the rate-limit window of a key is. */
const Window = ({ shown: { used, rateLimit } }: { readonly shown: Key }) => {
  const id = useId();
  const { requests, perMs } = rateLimit;
  if (requests === null) {
    return <p class="sub">No rate limit; {pluralize(used, 'request')} lately.</p>;
  }
  return (
    <div>
      <label for={id}>
        {used} of {pluralize(requests, 'request')} per {spanText(perMs)}
      </label>
      <meter id={id} min={0} max={requests} value={used} high={requests * 0.8} optimum={0} />
    </div>
  );
};

const KeyCard = ({ shown }: { readonly shown: Key }) => {
  const inHeader = shown.id === info.value?.apiKeyId;
  return (
    <li class="card">
      <div class="card-head">
        <h2>
          {shown.ending === '' ? 'Short key' : <code>…{shown.ending}</code>}{' '}
          {inHeader && <Badge tone="calm">Shown at the top</Badge>}
        </h2>
        <ConfirmButton
          label="Revoke"
          confirm={inHeader ? 'Revoke the key that your app may use?' : 'Revoke for good?'}
          onConfirm={() => revoke(shown)}
        />
      </div>
      <Window shown={shown} />
      <ul class="chips" aria-label="Scopes">
        {shown.scopes.map((scope) => (
          <li key={scope}>{scope}</li>
        ))}
        {shown.scopes.length === 0 && <li>no scopes</li>}
      </ul>
      <code class="sub">{shown.id}</code>
    </li>
  );
};

/** The keys, with their scopes and their rate-limit windows. */
export const Keys = () => {
  const live = useLive(['keys', 'requests', 'clock'], async () => (await call('keys.list')).data);
  // On the system clock, windows empty by themselves.
  const drains = info.value?.clock.kind === 'system' && live.value?.some(({ used }) => used > 0);
  useTick('keys', 1_000, drains ?? false);
  return (
    <View
      title="Keys and limits"
      intro="Every key has its scopes, and a sliding window that fills with each request."
      tools={
        // The form needs the scopes to choose from.
        live.value && (
          <DialogButton
            label="Create a key"
            dialog={<KeyForm scopes={[...new Set(live.value.flatMap(({ scopes }) => scopes))]} />}
          />
        )
      }
    >
      <Loaded live={live}>
        {(keys) =>
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
    </View>
  );
};
