import { describeIssues } from '@confab/client/contract';
import { isDate, typeName, unknownNames } from '@confab/internal';
import type * as z from 'zod/mini';
import { CollectionError } from '../../errors/mock-error.ts';
import type { Equals } from './table.ts';

/** The rules for the rows of one collection. */
export interface RowRules<T> {
  /** The name of a row in messages: `lead`. */
  readonly noun: string;
  /** Brings a row into its stored form. */
  readonly schema: z.ZodMiniType<T> & { readonly shape: Readonly<Record<string, z.ZodMiniType>> };
  /** Does what the schema can't. Returns what is wrong with the row if it is invalid. */
  readonly normalize?: ((row: T) => T | string) | undefined;
  /** Brings a phone into its stored form, for queries; `undefined` if it is invalid. */
  readonly toPhone?: ((phone: string) => string | undefined) | undefined;
}

/** The values that are not undefined; a `Date` becomes its date-time, unless it is invalid. */
export const defined = <T extends object>(values: T): T =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, (isDate(value) && value.toJSON()) || value]),
  ) as T;

/** @param what What the message calls the row: `This lead`, `data.leads[3]`. */
export const rowError = (what: string, why: string): CollectionError =>
  new CollectionError(`${what} cannot be stored: ${why}`);

/** @throws {@link CollectionError} When the fields of a row are anything but an object. */
export const refuseNonObject = (fields: unknown, what: string): void => {
  if (Object.prototype.toString.call(fields) !== '[object Object]') {
    throw rowError(what, `it must be an object, got ${typeName(fields)}`);
  }
};

/** Describes the first of these fields that rows do not have; undefined if they have all of them. */
export const unknownField = <T>({ noun, schema }: RowRules<T>, fields: object): string | undefined =>
  unknownNames(`${noun} field`, fields, Object.keys(schema.shape));

/**
 * Returns a row in its stored form, frozen.
 *
 * @throws {@link CollectionError} When a field or value is invalid.
 */
export const toStored = <T extends object>(rules: RowRules<T>, row: T, what: string): T => {
  const { schema, normalize = (valid) => valid } = rules;
  const result = schema.safeParse(row);
  if (!result.success) {
    const issues = describeIssues(result.error, row).map(({ path, message }) => `${path} ${message}`);
    throw rowError(what, unknownField(rules, row)?.replace('Unknown', 'unknown') ?? issues.join('; '));
  }
  const stored = normalize(result.data);
  if (typeof stored === 'string') {
    throw rowError(what, stored);
  }
  return Object.freeze(stored);
};

/** Returns values for some fields in the form in which rows have them. Invalid ones, which no row has, stay as they are. */
export const toStoredValues = <T extends object>(
  { schema: { shape }, toPhone }: RowRules<T>,
  values: object,
): Equals => {
  const stored = Object.entries(defined(values)).map(([name, value]) => {
    const { success, data } = shape[name]?.safeParse(value) ?? {};
    const parsed = success ? data : value;
    return [name, (name === 'phone' && typeof parsed === 'string' && toPhone?.(parsed)) || parsed];
  });
  return Object.fromEntries(stored);
};
