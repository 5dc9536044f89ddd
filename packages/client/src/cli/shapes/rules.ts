/** RFC 3339 with its required offset. Leap seconds do not match, because a `Date` cannot represent them. */
const DATE_TIME =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3])(:[0-5]\d){2}(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

const isDateTime = (value: string): boolean => {
  const [, year, month, day] = DATE_TIME.exec(value) ?? [];
  // Most days are in every month, and creating a date would take most of the time of a check.
  if (Number(day) <= 28) {
    return true;
  }
  // The calendar repeats every 400 years, and `Date.UTC` reads years below 100 as 19xx. Day 0 of a month is the last day
  // of the month before.
  const last = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0));
  return Number(day) <= last.getUTCDate();
};

/** A UUID of any version, in either case. */
const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

/** A condition that a value of the right type must meet, and the words for it. */
export interface Rule<T> {
  readonly holds: (value: T) => boolean;
  readonly words: string;
}

const UUID_PATTERN = new RegExp(UUID);

export const uuid: Rule<string> = {
  holds: (value) => UUID_PATTERN.test(value),
  words: 'must be a UUID',
};

export const dateTime: Rule<string> = {
  holds: isDateTime,
  words: 'must be a date and time with an offset, such as 2026-01-31T12:00:00Z',
};

export const oneOf = (options: readonly string[]): Rule<string> => ({
  holds: (value) => options.includes(value),
  words: `must be one of ${options.map((option) => JSON.stringify(option)).join(', ')}`,
});

export const exactly = (wanted: boolean): Rule<boolean> => ({
  holds: (value) => value === wanted,
  words: `must be ${wanted}`,
});

/** Bounds of a whole number. */
export interface WholeBounds {
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

export const whole = ({ minimum, maximum }: WholeBounds): Rule<number> => ({
  holds: (value) =>
    Number.isInteger(value) &&
    !(minimum !== undefined && value < minimum) &&
    !(maximum !== undefined && value > maximum),
  words: `must be a whole number${minimum === undefined ? '' : ` from ${minimum}`}${maximum === undefined ? '' : ` to ${maximum}`}`,
});

/** Bounds of a text. */
export interface LengthBounds {
  readonly minLength?: number | undefined;
  readonly maxLength: number;
}

/**
 * Counts Unicode code points, as JSON Schema does. `String.length` counts UTF-16 units, so it would reject 4,000 emoji as
 * 8,000 characters.
 */
export const length = ({ minLength = 0, maxLength }: LengthBounds): Rule<string> => ({
  holds: (value) => {
    const points = [...value].length;
    return points >= minLength && points <= maxLength;
  },
  words: `must have ${minLength} to ${maxLength} characters (Unicode code points)`,
});
