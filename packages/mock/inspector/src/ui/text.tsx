import type { ComponentChildren } from 'preact';

/** A count with its noun: `1 request`, `2 requests`. */
export const counted = (count: number, noun: string, many = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : many}`;

type Tone = 'good' | 'warn' | 'bad' | 'calm';

const toneOf = (status: number | undefined): Tone => {
  if (status === undefined || status >= 500) {
    return 'bad';
  }
  return status >= 400 ? 'warn' : 'good';
};

/** A short state, which its text tells as well as its color. */
export const Badge = ({ tone, children }: { readonly tone: Tone; readonly children: string }) => (
  <span class={`badge ${tone}`}>{children}</span>
);

/** The status of a response. */
export const StatusBadge = ({ status }: { readonly status: number | undefined }) => (
  <Badge tone={toneOf(status)}>{status === undefined ? 'none' : String(status)}</Badge>
);

/** A moment as the mock writes it: `2026-01-01 09:00:00`, in UTC. */
export const dateTimeText = (at: number | string): string =>
  new Date(at).toISOString().slice(0, 19).replace('T', ' ');

interface TimeProps {
  readonly at: number | string;
  /** Shows the time of the day only. */
  readonly short?: boolean;
}

/** A moment on the clock of the mock, in UTC. */
export const Time = ({ at, short = false }: TimeProps) => (
  <time class="time" dateTime={new Date(at).toISOString()} title={`${dateTimeText(at)} UTC`}>
    {dateTimeText(at).slice(short ? 11 : 0)}
  </time>
);

/** A value as indented JSON. It is text: markup in it stays text. */
export const JsonView = ({ value, label }: { readonly value: unknown; readonly label: string }) => (
  // It may scroll, so the keyboard must reach it.
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
  <section class="json" tabIndex={0} aria-label={label}>
    <pre>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>
  </section>
);

interface DetailsProps {
  readonly rows: readonly (readonly [name: string, value: ComponentChildren])[];
}

/** Names and values, one below the other; rows without a value are left out. */
export const Details = ({ rows }: DetailsProps) => (
  <dl class="details">
    {rows.map(
      ([name, value]) =>
        value !== undefined &&
        value !== '' && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
);
