import { hasMethods } from '@confab/internal';
import { Query as DataQuery } from '@msw/data';

/** A value or a predicate for some fields, or a predicate for the whole row. */
export type Condition<T> =
  | { readonly [Name in keyof T]?: T[Name] | ((value: T[Name]) => unknown) }
  | ((row: T) => unknown);

/** A query as in `@msw/data`. It is declared here because that package is bundled, so its types are not installed. */
export interface Query<T> {
  /** Rows that also match this condition. */
  where(condition: Condition<T>): Query<T>;
  /** Rows that also match all of these conditions. */
  and(...conditions: readonly (Query<T> | Condition<T>)[]): Query<T>;
  /** Rows that match already, or match any of these conditions. */
  or(...conditions: readonly (Query<T> | Condition<T>)[]): Query<T>;
  /** Whether a row matches. */
  test(row: T): boolean;
}

/** Creates a query without conditions. */
export const createQuery = <T>(): Query<T> => new DataQuery<T>() as unknown as Query<T>;

/** Whether a value is a query, of this package or of `@msw/data`. */
export const isQuery = <T>(value: unknown): value is Query<T> => hasMethods(value, 'test', 'where');
