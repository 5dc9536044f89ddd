import * as z from 'zod/mini';

/** An id: a UUID of any version, in either case. */
export const IdSchema = z.guid();

/** A date-time with its offset, as in RFC 3339: `2026-01-31T12:00:00Z`. */
export const DateTimeSchema = z.iso.datetime({ offset: true });

/** A known value is typed and completed by the editor; a value added later still passes. */
export type OpenEnum<Known extends string> = Known | (string & {});

/**
 * A response enum: the known values are typed, an unknown string passes.
 *
 * Without this, a value that the service adds one day would break every deployed client.
 */
export const openEnum = <const Known extends string>(known: z.ZodMiniEnum<{ [K in Known]: K }>) =>
  z.union([known, z.string()]) as z.ZodMiniType<OpenEnum<Known>, OpenEnum<Known>>;

/**
 * A string whose length is counted in Unicode code points, as JSON Schema counts it.
 *
 * `String.length` counts UTF-16 units, so it would refuse 4,000 emoji as 8,000 characters.
 */
export const text = ({ min = 0, max }: { min?: number; max: number }) =>
  z.string().check(
    z.refine(
      (value) => {
        const length = [...value].length;
        return length >= min && length <= max;
      },
      { error: `must have ${min === 0 ? 'at most' : `${min} to`} ${max} characters (Unicode code points)` },
    ),
    z.meta(min === 0 ? { maxLength: max } : { minLength: min, maxLength: max }),
  );

/** Query parameters shared by the lists that come in pages. */
export const paging = {
  /** Rows in one page. */
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(100), z.meta({ default: 25 }))),
  /** Rows to pass over. */
  offset: z.optional(z.int().check(z.minimum(0), z.meta({ default: 0 }))),
};
