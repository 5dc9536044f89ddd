import * as z from 'zod/mini';
import type { LengthBounds, Rule, WholeBounds } from '../rules.ts';
import { dateTime, exactly, length, oneOf, UUID, uuid, whole } from '../rules.ts';
import type { OpenEnum } from '../types/open-enum.ts';

/**
 * Gives a schema its JSON Schema, because zod cannot know the bounds of our own checks, formats and open enums.
 *
 * `z.meta()` and the registry behind it would add 0.3 kB to every bundle that contains the contract.
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

/** A check with its own message. `z.refine()` would be larger. */
const must =
  <T>({ holds, words }: Rule<T>): z.core.CheckFn<T> =>
  ({ value, issues }) => {
    if (!holds(value)) {
      issues.push({ code: 'custom', input: value, message: words });
    }
  };

/** An id: a UUID of any version, in either case. `z.guid()` would add 0.25 kB. */
export const IdSchema = described(z.string().check(must(uuid)), {
  type: 'string',
  format: 'uuid',
  pattern: UUID,
});

/**
 * A date-time with its offset, as in RFC 3339: `2026-01-31T12:00:00Z`.
 *
 * `z.iso.datetime()` would add 0.9 kB.
 */
export const DateTimeSchema = described(z.string().check(must(dateTime)), {
  type: 'string',
  format: 'date-time',
});

/** The schema of an enum that accepts only its own values. */
export type ClosedEnum<Value extends string = string> = z.ZodMiniType<Value, Value> & {
  /** The values that pass. */
  readonly options: readonly Value[];
};

/** A request enum, which accepts only its own values. `z.enum()` would add 0.25 kB. */
export const closedEnum = <const Value extends string>(options: readonly Value[]): ClosedEnum<Value> => {
  const schema = z.string().check(must(oneOf(options)));
  described(schema, { type: 'string', enum: options });
  return Object.assign(schema as unknown as z.ZodMiniType<Value, Value>, { options });
};

/** A boolean that is always the same. `z.literal()` would add 0.1 kB. */
export const always = <const Value extends boolean>(value: Value) =>
  described(z.boolean().check(must(exactly(value))), {
    type: 'boolean',
    const: value,
  }) as unknown as z.ZodMiniType<Value, Value>;

/**
 * A response enum: the known values are typed, an unknown string passes.
 *
 * A closed enum would break every deployed client as soon as the service adds a value.
 */
export const openEnum = <const Known extends string>({ options }: ClosedEnum<Known>) =>
  // A zod union would add 0.3 kB without checking anything. The type is given next to the values, because generators
  // ignore an enum without a type.
  described(z.string(), {
    type: 'string',
    anyOf: [{ type: 'string', enum: options }, { type: 'string' }],
  }) as unknown as z.ZodMiniType<OpenEnum<Known>, OpenEnum<Known>>;

/** A whole number. `z.int()` with its checks would add 0.7 kB. */
export const integer = (bounds: WholeBounds & { default?: number } = {}) =>
  described(z.number().check(must(whole(bounds))), { type: 'integer', ...bounds });

/** A string whose length is counted in Unicode code points, as JSON Schema counts it. */
export const text = (bounds: LengthBounds) =>
  described(z.string().check(must(length(bounds))), { type: 'string', ...bounds });

/** The query parameters of every list with pages. */
export const paging = {
  limit: z.optional(integer({ minimum: 1, maximum: 100, default: 25 })),
  offset: z.optional(integer({ minimum: 0, default: 0 })),
};
