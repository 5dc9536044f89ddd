import type * as z from 'zod/mini';
import type { MockFields, MockRow, Table, TableOptions } from '../store/table.ts';
import type { ResourceName } from './names.ts';

/** Any kind of row, for code that treats all kinds alike. */
export type AnyResource = Resource<MockRow, object>;

/** What all kinds of rows need. */
export interface RowContext {
  /** Returns the time: an RFC 3339 date-time. */
  now(): string;
  /** The default source of a lead. */
  readonly source: string;
  /** The country of phone numbers without `+`. */
  readonly defaultCountry: string | undefined;
  /** Returns the collection of a kind. */
  collectionOf(resource: AnyResource): { readonly table: Pick<Table<MockRow>, 'get' | 'findUnique'> };
  /** Returns the id of the first row of a kind. Creates a row if there is none. */
  firstIdOf(resource: AnyResource): string;
}

/** A field with the id of another row. */
interface Reference {
  /** The kind of that row. */
  readonly to: AnyResource;
  /** What happens when the other row is deleted: the field gets its default, or this row is deleted too. */
  readonly onDelete: 'reset' | 'delete';
  /** A field of that row: the date-time of the newest row that refers to it. */
  readonly newestAt?: string;
}

/**
 * A kind of row. Everything that differs between kinds is here; collections, the types of a mock, the control endpoints,
 * the schemas of files and the inspector derive from it.
 */
export interface Resource<T extends MockRow, Init extends object = MockFields<T>> extends TableOptions {
  /** The plural name: `leads`. */
  readonly name: ResourceName;
  /** The singular name: `lead`. */
  readonly noun: string;
  /** Converts a row to the values that are stored, and refuses unknown fields. */
  readonly schema: z.ZodMiniObject & z.ZodMiniType<T>;
  /** Enums to which the service may add values. A strict mock accepts only the values that the contract lists. */
  readonly openEnums?: Readonly<Record<string, z.ZodMiniType>>;
  /** Fields with the ids of other rows. Only a strict mock checks that those exist, so a test can create a row alone. */
  readonly references?: Readonly<Record<string, Reference>>;
  /** Fields that the API accepts but never returns. */
  readonly hidden?: readonly string[];
  /** The columns of the inspector's table. The first one identifies a row. */
  readonly columns: readonly string[];
  /** Returns the defaults of all fields except the id. */
  defaults(values: Init, context: RowContext): Omit<T, 'id'>;
  /** Normalizes the phone number of a row or a query; returns `undefined` if it is invalid. */
  toPhone?(phone: string, context: RowContext): string | undefined;
}
