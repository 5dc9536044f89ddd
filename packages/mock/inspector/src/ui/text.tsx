import type { ComponentChildren } from 'preact';

/** A count with its noun: `1 request`, `2 requests`, `2 deliveries`. */
export const pluralize = (count: number, noun: string): string =>
  `${count} ${count === 1 ? noun : `${noun.replace(/y$/, 'ie')}s`}`;

type Tone = 'good' | 'warn' | 'bad' | 'calm';

const toneOf = (status: number | undefined): Tone => {
  if (status === undefined || status >= 500) {
    return 'bad';
  }
  return status >= 400 ? 'warn' : 'good';
};

/** A short word for a state, with a color. */
export const Badge = ({ tone, children }: { readonly tone: Tone; readonly children: string }) => (
  <span class={`badge ${tone}`}>{children}</span>
);

/** The status of a response. */
export const StatusBadge = ({ status }: { readonly status: number | undefined }) => (
  <Badge tone={toneOf(status)}>{status === undefined ? 'No response' : String(status)}</Badge>
);

/** A moment in UTC: `2026-01-01 09:00:00`. */
export const dateTimeText = (at: number | string): string =>
  new Date(at).toISOString().slice(0, 19).replace('T', ' ');

/** A moment on the clock of the mock, in UTC; a short one is the time of the day only. */
export const Time = ({ at, short }: { readonly at: number | string; readonly short?: boolean }) => (
  <time class="time" dateTime={new Date(at).toISOString()} title={`${dateTimeText(at)} UTC`}>
    {dateTimeText(at).slice(short ? 11 : 0)}
  </time>
);

/** Characters at the end of a text that {@link Middle} always shows. */
const TAIL = 9;

/** The units of a time that has passed, with their milliseconds. */
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

const AGO = new Intl.RelativeTimeFormat('en', { style: 'short' });

/** How long ago a moment was on the clock of the mock: `2 min. ago`; the moment itself on hover. */
export const Ago = ({ at, now }: { readonly at: string; readonly now: string | undefined }) => {
  const passed = Date.parse(now ?? at) - Date.parse(at);
  const [unit, ms] = UNITS.find(([, size]) => passed >= size) ?? [];
  return (
    <time class="sub" dateTime={at} title={`${dateTimeText(at)} UTC`}>
      {unit === undefined ? 'now' : AGO.format(-Math.floor(passed / ms), unit)}
    </time>
  );
};

/** A long text, such as a path. A narrow column leaves out its middle. */
export const Middle = ({ text }: { readonly text: string }) => {
  const end = Math.ceil(Math.max(text.length - TAIL, text.length / 2));
  return (
    <span class="middle" title={text}>
      <span>{text.slice(0, end)}</span>
      <span>{text.slice(end)}</span>
    </span>
  );
};

/** Parses a text that is JSON; returns any other text unchanged. */
export const valueIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** A value as indented JSON. Markup in it stays text. */
export const JsonView = ({ value, label }: { readonly value: unknown; readonly label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
  <section class="json" tabIndex={0} aria-label={label}>
    <pre>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>
  </section>
);

interface DetailsProps {
  readonly rows: readonly (readonly [name: string, value: ComponentChildren])[];
}

/** A list of names and values. Rows without a value are left out. */
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
