import type * as z from 'zod/mini';
import type { MockFields, MockRow, Table, TableOptions } from '../store/table.ts';
import type { ResourceName } from './names.ts';

/** A kind of row, for what treats all kinds alike. */
export type AnyResource = Resource<MockRow, object>;

/** What the rows of all kinds share. */
export interface RowContext {
  /** Returns the time: an RFC 3339 date-time. */
  now(): string;
  /** The source of a lead that names none. */
  readonly source: string;
  /** The country of phones that have none. */
  readonly defaultCountry: string | undefined;
  /** Returns the rows of a kind. */
  collectionOf(resource: AnyResource): { readonly table: Pick<Table<MockRow>, 'get' | 'findUnique'> };
  /** Returns the id of the first row of a kind, which is created if there is none. */
  firstIdOf(resource: AnyResource): string;
}

/** A field with the id of another row. */
interface Reference {
  /** The kind of that row. */
  readonly to: AnyResource;
  /** What becomes of this row when that one is deleted: the field gets its default, or the row is deleted too. */
  readonly onDelete: 'reset' | 'delete';
}

/**
 * A kind of row. Everything that differs between kinds is here; collections, the types of a mock, the control endpoints, the
 * schemas of files and the inspector derive from it.
 */
export interface Resource<T extends MockRow, Init extends object = MockFields<T>> extends TableOptions {
  /** What the rows are called together: `leads`. */
  readonly name: ResourceName;
  /** What one row is called: `lead`. */
  readonly noun: string;
  /** Brings a row into its stored form, and refuses unknown fields. */
  readonly schema: z.ZodMiniObject & z.ZodMiniType<T>;
  /** Fields to which the service may add values, with the values that the contract lists. A strict mock accepts no others. */
  readonly openEnums?: Readonly<Record<string, z.ZodMiniType>>;
  /** Fields with the ids of other rows. Only a strict mock checks that these exist: tests of one kind need no other. */
  readonly references?: Readonly<Record<string, Reference>>;
  /** Fields that the API accepts but never returns. */
  readonly hidden?: readonly string[];
  /** The fields that the inspector shows in its table; the first names a row. */
  readonly columns: readonly string[];
  /** Returns the defaults of all fields but the id. */
  defaults(values: Init, context: RowContext): Omit<T, 'id'>;
  /** Brings the phone of a row or a query into its stored form; `undefined` if it is invalid. */
  toPhone?(phone: string, context: RowContext): string | undefined;
}
