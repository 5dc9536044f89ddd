import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import type { ClockState } from '../../api/types.ts';
import { command, run } from '../../live/action.ts';
import { TOPICS, useLive } from '../../live/live.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { dateTimeText, Time } from '../../ui/text.tsx';
import { Loaded, View } from '../../ui/view.tsx';

/** The milliseconds of each unit. */
const UNITS = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/** Time makes deliveries, rate limits and waiting requests go on, so everything may change. */
const move = (body: { advance: number } | { set: string }) => run('clock.move', { body, changes: TOPICS });

/** The form's field follows the clock, except while one is in it: what one has selected or typed stays. */
const SetTime = ({ now }: { readonly now: string }) => {
  const [held, hold] = useState<string>();
  return (
    <section class="card" onFocusIn={() => hold(now)} onFocusOut={() => hold(undefined)}>
      <h2>Set</h2>
      <Form submit="Set" onSubmit={({ date = '' }) => move({ set: `${date.trim().replace(' ', 'T')}Z` })}>
        <TextField
          label="To"
          name="date"
          required
          value={dateTimeText(held ?? now)}
          hint="A date and a time in UTC. The clock can't go back: reset the mock for that."
        />
      </Form>
    </section>
  );
};

const Virtual = ({ now }: { readonly now: string }) => (
  <>
    <div class="tools">
      {(['minute', 'hour', 'day'] as const).map((unit) => (
        <button
          type="button"
          key={unit}
          onClick={() => command('clock.move', { body: { advance: UNITS[unit] }, changes: TOPICS })}
        >
          + 1 {unit}
        </button>
      ))}
    </div>
    <div class="columns">
      <section class="card">
        <h2>Advance</h2>
        <Form
          submit="Advance"
          onSubmit={({ amount = '', unit = '' }) => move({ advance: Number(amount) * Number(unit) })}
        >
          <TextField label="By" name="amount" type="number" min={0} value="30" required />
          <SelectField
            label="Unit"
            name="unit"
            value={String(UNITS.minute)}
            options={Object.entries(UNITS).map(([unit, ms]) => [String(ms), `${unit}s`])}
          />
        </Form>
      </section>
      <SetTime now={now} />
    </div>
  </>
);

/** The clock of the mock, with buttons that move it. */
export const Clock = () => {
  const live = useLive('clock', ['clock'], async () => (await call<ClockState>('clock.get')).data);
  return (
    <View title="Clock" intro="Timestamps, rate limits and retries of deliveries follow this clock.">
      <Loaded live={live}>
        {({ now, kind }) => (
          <>
            <p class="clock-face">
              <Time at={now} /> <span class="sub">UTC</span>
            </p>
            {kind === 'virtual' ? (
              <Virtual now={now} />
            ) : (
              <p>
                The mock uses the clock of its machine, which can't be moved. Start it with{' '}
                <code>--clock virtual</code>, or with{' '}
                <code>
                  createMock({'{'} clock: 'virtual' {'}'})
                </code>
                .
              </p>
            )}
          </>
        )}
      </Loaded>
    </View>
  );
};
