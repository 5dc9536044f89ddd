import { attempt, run } from '../../live/action.ts';
import { info } from '../../live/info.ts';
import { Button } from '../../ui/buttons.tsx';
import { Field } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { dateTimeText, Time } from '../../ui/text.tsx';
import { View } from '../../ui/view.tsx';

/** The milliseconds of each unit. */
const UNITS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

const move = (body: { advance: number } | { set: string }) => run('clock.move', { body });

const Virtual = ({ now }: { readonly now: string }) => (
  <>
    <div class="tools">
      {Object.entries(UNITS).map(([unit, advance]) => (
        <Button key={unit} label={`+ 1 ${unit}`} onClick={() => attempt(() => move({ advance }))} />
      ))}
    </div>
    <div class="columns">
      <section class="card">
        <h2>Advance</h2>
        <Form submit="Advance" onSubmit={({ advance }) => move({ advance: Number(advance) * 1_000 })}>
          <Field label="Seconds" name="advance" type="number" min={0} value="30" required />
        </Form>
      </section>
      <section class="card">
        <h2>Set</h2>
        <Form submit="Set" onSubmit={({ set = '' }) => move({ set: `${set.trim().replace(' ', 'T')}Z` })}>
          <Field
            label="To"
            name="set"
            required
            placeholder={dateTimeText(now)}
            hint="A date and a time in UTC. The clock can't go back: reset the mock for that."
          />
        </Form>
      </section>
    </div>
  </>
);

/** The clock of the mock, with buttons that move it. */
export const Clock = () => {
  const { clock } = info.value ?? {};
  return (
    <View title="Clock" intro="Timestamps, rate limits and retries of deliveries follow this clock.">
      {clock && (
        <p class="clock-face">
          <Time at={clock.now} /> <span class="sub">UTC</span>
        </p>
      )}
      {clock?.kind === 'virtual' && <Virtual now={clock.now} />}
      {clock?.kind === 'system' && (
        <p>
          The mock uses the clock of its machine, which can't be moved. Start it with{' '}
          <code>--clock virtual</code>, or with <code>{"createMock({ clock: 'virtual' })"}</code>.
        </p>
      )}
    </View>
  );
};
