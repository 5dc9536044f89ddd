import * as z from 'zod/mini';
import type { OpenEnum } from '../types/open-enum.ts';

/**
 * Gives a schema its JSON Schema, because zod cannot know the bounds of our own checks, formats and open enums.
 *
 * `z.meta()` and the registry behind it would add 0.3 kB to every bundle.
 */
const described = <Schema extends z.core.$ZodType>(
  schema: Schema,
  jsonSchema: Readonly<Record<string, unknown>>,
): Schema => {
  schema._zod.processJSONSchema = (_context, json) => {
    Object.assign(json, jsonSchema);
  };
  return schema;
};

/** A check with its own message. `z.refine()` would add to every bundle. */
const must =
  <T>(holds: (value: T) => boolean, message: string): z.core.CheckFn<T> =>
  ({ value, issues }) => {
    if (!holds(value)) {
      issues.push({ code: 'custom', input: value, message });
    }
  };

/** RFC 3339 with its required offset. Leap seconds do not match, because a `Date` cannot represent them. */
const DATE_TIME =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3])(:[0-5]\d){2}(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

const isDateTime = (value: string): boolean => {
  const [, year, month, day] = DATE_TIME.exec(value) ?? [];
  // The calendar repeats every 400 years, and `Date.UTC` reads years below 100 as 19xx. Day 0 of a month is the last day
  // of the month before.
  const last = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0));
  return Number(day) <= last.getUTCDate();
};

const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
const uuid = new RegExp(UUID);

/** An id: a UUID of any version, in either case. `z.guid()` would add 0.25 kB to every bundle. */
export const IdSchema = described(z.string().check(must((value) => uuid.test(value), 'must be a UUID')), {
  type: 'string',
  format: 'uuid',
  pattern: UUID,
});

/**
 * A date-time with its offset, as in RFC 3339: `2026-01-31T12:00:00Z`.
 *
 * `z.iso.datetime()` would add 0.9 kB to every bundle.
 */
export const DateTimeSchema = described(
  z.string().check(must(isDateTime, 'must be a date-time with its offset (RFC 3339)')),
  { type: 'string', format: 'date-time' },
);

/** The schema of an enum that accepts only its own values. */
export type ClosedEnum<Value extends string = string> = z.ZodMiniType<Value, Value> & {
  /** The values that pass. */
  readonly options: readonly Value[];
};

/** A request enum, which accepts only its own values. `z.enum()` would add 0.25 kB to every bundle. */
export const closedEnum = <const Value extends string>(options: readonly Value[]): ClosedEnum<Value> => {
  const words = options.map((option) => JSON.stringify(option)).join(' or ');
  const schema = z.string().check(must((value) => options.includes(value as Value), `must be ${words}`));
  described(schema, { type: 'string', enum: options });
  return Object.assign(schema as unknown as z.ZodMiniType<Value, Value>, { options });
};

/** A boolean that is always the same. `z.literal()` would add 0.1 kB to every bundle. */
export const always = <const Value extends boolean>(value: Value) =>
  described(z.boolean().check(must((given) => given === value, `must be ${value}`)), {
    type: 'boolean',
    const: value,
  }) as unknown as z.ZodMiniType<Value, Value>;

/**
 * A response enum: the known values are typed, an unknown string passes.
 *
 * A closed enum would break every deployed client as soon as the service adds a value.
 */
export const openEnum = <const Known extends string>({ options }: ClosedEnum<Known>) =>
  // A zod union would add 0.3 kB to every bundle without checking anything. The type is given next to the values, because
  // generators ignore an enum without a type.
  described(z.string(), {
    type: 'string',
    anyOf: [{ type: 'string', enum: options }, { type: 'string' }],
  }) as unknown as z.ZodMiniType<OpenEnum<Known>, OpenEnum<Known>>;

/** A whole number. `z.int()` with its checks would add 0.7 kB to every bundle. */
export const integer = (bounds: { minimum?: number; maximum?: number; default?: number } = {}) => {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = bounds;
  return described(
    z
      .number()
      .check(
        must(
          (value) => Number.isInteger(value) && value >= minimum && value <= maximum,
          `must be a whole number${minimum === Number.NEGATIVE_INFINITY ? '' : ` from ${minimum}`}${maximum === Number.POSITIVE_INFINITY ? '' : ` to ${maximum}`}`,
        ),
      ),
    { type: 'integer', ...bounds },
  );
};

/**
 * A string whose length is counted in Unicode code points, as JSON Schema counts it.
 *
 * `String.length` counts UTF-16 units, so it would reject 4,000 emoji as 8,000 characters.
 */
export const text = (bounds: { minLength?: number; maxLength: number }) => {
  const { minLength = 0, maxLength } = bounds;
  return described(
    z.string().check(
      must((value) => {
        const { length } = [...value];
        return length >= minLength && length <= maxLength;
      }, `must have ${minLength} to ${maxLength} characters (Unicode code points)`),
    ),
    { type: 'string', ...bounds },
  );
};

/** The query parameters of every list with pages. */
export const paging = {
  limit: z.optional(integer({ minimum: 1, maximum: 100, default: 25 })),
  offset: z.optional(integer({ minimum: 0, default: 0 })),
};
