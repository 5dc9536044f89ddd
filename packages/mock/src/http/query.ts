import * as z from 'zod/mini';
import { MockError } from '../errors/mock-error.ts';

/** A query before any check. */
export interface RawQuery {
  readonly values: Readonly<Record<string, unknown>>;
  /** Names that occurred more than once. */
  readonly repeated: readonly string[];
}

const inner = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.ZodMiniOptional ? schema.def.innerType : schema;

/** Whether a parameter is a whole number. */
export const isInteger = (schema: z.core.$ZodType | undefined): boolean =>
  schema !== undefined && inner(schema) instanceof z.ZodMiniNumber;

/**
 * Reads a query string, without its question mark, into the types of its schema.
 *
 * Only a decimal integer becomes a number: `Number()` would also accept `1e2`, `0x1F` and ` 5 `. Any other text stays
 * as it is, and the check of the input then names it.
 */
export const readQuery = (search: string, schema: z.ZodMiniObject | undefined): RawQuery => {
  if (search === '') {
    return { values: {}, repeated: [] };
  }
  const values: Record<string, unknown> = Object.create(null);
  const repeated = new Set<string>();
  // URLSearchParams drops a leading question mark, which here belongs to a name.
  for (const [name, value] of new URLSearchParams(`?${search}`)) {
    if (name in values) {
      repeated.add(name);
    }
    values[name] = isInteger(schema?.shape[name]) && /^-?\d+$/.test(value) ? Number(value) : value;
  }
  return { values: { ...values }, repeated: [...repeated] };
};

/**
 * The contract's default for a parameter.
 *
 * @throws {@link MockError} `INTERNAL`, when the contract has none.
 */
export const defaultOf = (schema: z.core.$ZodType): number => {
  const value = z.toJSONSchema(schema).default;
  if (typeof value !== 'number') {
    throw new MockError('INTERNAL', 'The contract has no default for this parameter');
  }
  return value;
};
