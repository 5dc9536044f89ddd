import * as z from 'zod/mini';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** An id: a UUID of any version, in either case. */
export const IdSchema = z.string().check(
  z.refine((value) => UUID.test(value), 'must be a UUID'),
  z.meta({ format: 'uuid' }),
);

/** RFC 3339 with its required offset. Leap seconds do not match, because a `Date` cannot represent them. */
const DATE_TIME =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3])(:[0-5]\d){2}(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

const isDateTime = (value: string): boolean => {
  const [, year, month, day] = DATE_TIME.exec(value) ?? [];
  if (Number(day) <= 28) {
    return true;
  }
  // The calendar repeats every 400 years, and `Date.UTC` reads years below 100 as 19xx. Day 0 of a month is the last
  // day of the month before.
  const last = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0));
  return Number(day) <= last.getUTCDate();
};

/** A date-time that exists, with its offset, as in RFC 3339: `2026-01-31T12:00:00Z`. */
export const DateTimeSchema = z
  .string()
  .check(
    z.refine(isDateTime, 'must be an existing date and time with an offset, such as 2026-01-31T12:00:00Z'),
    z.meta({ format: 'date-time' }),
  );

/** The known values, which editors complete, or any other string, because the API may add values. */
export type OpenEnum<Known extends string> = Known | (string & {});

/**
 * A response enum: the known values are typed, an unknown string passes.
 *
 * A closed enum would break every deployed client as soon as the service adds a value.
 */
export const openEnum = <Known extends string>({ options }: { readonly options: Known[] }) =>
  // This is not a union, which would make every client larger. `OpenEnum` is written out, because the published
  // declarations of the contract's types are in a file without it.
  z.string().check(z.meta({ examples: options })) as z.ZodMiniType<
    Known | (string & {}),
    Known | (string & {})
  >;

interface IntegerBounds {
  readonly minimum?: number;
  readonly maximum?: number;
  /** The value that the service uses when the field is left out. */
  readonly default?: number;
}

/** A whole number. */
export const integer = (bounds: IntegerBounds = {}) => {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = bounds;
  const from = bounds.minimum === undefined ? '' : ` from ${minimum}`;
  const to = bounds.maximum === undefined ? '' : ` to ${maximum}`;
  return z.number().check(
    z.refine(
      (value) => Number.isInteger(value) && value >= minimum && value <= maximum,
      `must be a whole number${from}${to}`,
    ),
    z.meta({ type: 'integer', ...bounds }),
  );
};

interface LengthBounds {
  readonly minLength?: number;
  readonly maxLength: number;
}

/**
 * A string whose length is counted in Unicode code points, as JSON Schema does. `String.length` counts UTF-16 units, so
 * it would reject 4,000 emoji as 8,000 characters.
 */
export const text = (bounds: LengthBounds) => {
  const { minLength = 0, maxLength } = bounds;
  return z.string().check(
    z.refine((value) => {
      const length = [...value].length;
      return length >= minLength && length <= maxLength;
    }, `must have ${minLength} to ${maxLength} characters (Unicode code points)`),
    z.meta({ ...bounds }),
  );
};

/** The query parameters of every list with pages. */
export const paging = {
  /**
   * The maximum number of rows in one page, from 1 to 100.
   * @default 25
   */
  limit: z.optional(integer({ minimum: 1, maximum: 100, default: 25 })),
  /**
   * The number of rows to skip, from 0.
   * @default 0
   */
  offset: z.optional(integer({ minimum: 0, default: 0 })),
};
