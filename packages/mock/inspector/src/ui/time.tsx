const two = (value: number): string => String(value).padStart(2, '0');

const toDate = (at: number | string): Date => new Date(at);

/** A moment as the mock writes it: `2026-01-01 09:00:00`, in UTC. */
export const dateTimeText = (at: number | string): string =>
  toDate(at).toISOString().slice(0, 19).replace('T', ' ');

/** The time of a day: `09:00:00`, in UTC. */
const timeText = (at: number | string): string => {
  const date = toDate(at);
  return [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(':');
};

interface TimeProps {
  readonly at: number | string;
  /** Shows the time of the day only. */
  readonly short?: boolean;
}

/** A moment on the clock of the mock, in UTC. */
export const Time = ({ at, short = false }: TimeProps) => (
  <time class="time" dateTime={toDate(at).toISOString()} title={`${dateTimeText(at)} UTC`}>
    {short ? timeText(at) : dateTimeText(at)}
  </time>
);
