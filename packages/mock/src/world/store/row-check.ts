import { describeIssues } from '@confab/client/contract';
import { suggestNameOrSynonym, typeName, unknownNames } from '@confab/internal';
import * as z from 'zod/mini';
import { CollectionError } from '../../errors/mock-error.ts';
import type { AnyResource, Resource, RowContext } from '../resources/resource.ts';
import { fieldOf } from './list-order.ts';
import { PHONE_RULE } from './phone.ts';
import type { Equals, MockRow } from './table.ts';

/** Drops undefined values, and converts each valid `Date` to a date-time. */
export const withoutUndefined = <T extends object>(values: T): T =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, (typeof value?.toJSON === 'function' && value.toJSON()) || value]],
    ),
  ) as T;

/** @param what The name of the row in the message: `This lead`, `data.leads[3]`. */
export const rowError = (what: string, why: string): CollectionError =>
  new CollectionError(`${what} cannot be stored: ${why}`);

/** @throws A {@link CollectionError} when the fields of a row are not an object. */
export const checkRowObject = (fields: unknown, what: string): void => {
  // Unlike `instanceof`, this works for objects of another realm.
  if (Object.prototype.toString.call(fields) !== '[object Object]') {
    throw rowError(what, `it must be an object, got ${typeName(fields)}.`);
  }
};

/** Returns a schema whose enums accept only the values that the contract lists. */
export const restrictEnums = <Schema extends z.ZodMiniObject>(
  schema: Schema,
  enums: NonNullable<AnyResource['openEnums']>,
): Schema => z.extend(schema, enums) as unknown as Schema;

/** Describes the first unknown field; returns undefined if there is none. */
export const unknownField = (
  { noun, schema }: Pick<AnyResource, 'noun' | 'schema'>,
  fields: object,
): string | undefined =>
  unknownNames(`${noun} field`, fields, Object.keys(schema.shape), { hint: suggestNameOrSynonym });

/**
 * Returns the frozen row to store.
 *
 * @throws A {@link CollectionError} when a field or value is invalid.
 */
export const toStored = <T extends MockRow, Init extends object>(
  resource: Resource<T, Init>,
  row: T,
  what: string,
  context: RowContext,
): T => {
  const { schema, toPhone } = resource;
  const result = schema.safeParse(row);
  if (!result.success) {
    const issues = describeIssues(result.error, row).map(({ path, message }) => `${path} ${message}`);
    throw rowError(
      what,
      unknownField(resource, row)?.replace('Unknown', 'unknown') ?? `${issues.join('; ')}.`,
    );
  }
  const stored = result.data as T;
  const given = fieldOf(stored, 'phone');
  if (toPhone === undefined || given === null) {
    return Object.freeze(stored);
  }
  const phone = toPhone(given, context);
  if (phone === undefined) {
    throw rowError(what, `phone ${PHONE_RULE}, got ${JSON.stringify(given)}.`);
  }
  return Object.freeze({ ...stored, phone });
};

/** Converts values of some fields to those that rows store. Invalid values, which no row has, are not converted. */
export const toStoredValues = (
  { schema: { shape }, toPhone }: Pick<AnyResource, 'schema' | 'toPhone'>,
  values: object,
  context: RowContext,
): Equals => {
  const stored = Object.entries(withoutUndefined(values)).map(([name, value]) => {
    const field = shape[name];
    const result = field && z.safeParse(field, value);
    const parsed = result?.success ? result.data : value;
    return [name, (name === 'phone' && typeof parsed === 'string' && toPhone?.(parsed, context)) || parsed];
  });
  return Object.fromEntries(stored);
};
