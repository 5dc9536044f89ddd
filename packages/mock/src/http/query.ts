import * as z from 'zod/mini';

/** A query as it came, before any check. */
export interface RawQuery {
  readonly values: Readonly<Record<string, unknown>>;
  /** Names that came more than once. */
  readonly repeated: readonly string[];
}

const inner = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.ZodMiniOptional ? schema.def.innerType : schema;

const isInteger = (schema: z.core.$ZodType | undefined): boolean =>
  schema !== undefined && inner(schema) instanceof z.ZodMiniNumber;

/**
 * Reads a query string into the types of its schema.
 *
 * Only text that is wholly a decimal integer becomes a number: `Number()` would take `1e2`, `0x1F` and ` 5 ` as well.
 * What does not fit stays as it came, for the check to name.
 */
export const readQuery = (search: string, schema: z.ZodMiniObject | undefined): RawQuery => {
  if (search === '') {
    return { values: {}, repeated: [] };
  }
  const values: Record<string, unknown> = Object.create(null);
  const repeated = new Set<string>();
  for (const [name, value] of new URLSearchParams(search)) {
    if (name in values) {
      repeated.add(name);
    }
    values[name] = isInteger(schema?.shape[name]) && /^-?\d+$/.test(value) ? Number(value) : value;
  }
  return { values: { ...values }, repeated: [...repeated] };
};

/**
 * The value that the contract gives for a parameter that is left out.
 *
 * @throws {TypeError} If the contract gives none.
 */
export const defaultOf = (schema: z.core.$ZodType): number => {
  const value: unknown = z.globalRegistry.get(inner(schema))?.default;
  if (typeof value !== 'number') {
    throw new TypeError('The contract gives no default for this parameter');
  }
  return value;
};
