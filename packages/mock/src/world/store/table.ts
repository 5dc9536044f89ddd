import { compareValues, fieldOf, sortRows } from './list-order.ts';

/** The base of all rows. */
export interface MockRow {
  /** The id of the row, a UUID. */
  readonly id: string;
}

/** Values for some fields of a row. `undefined` leaves a field out, and a `Date` stands for its date-time. */
export type MockFields<T> = {
  readonly [Name in keyof T]?: T[Name] | (Name extends `${string}At` ? Date : never) | undefined;
};

/** How a table is sorted and indexed. */
export interface TableOptions {
  /** The field by which lists are sorted. */
  readonly newestBy: 'createdAt' | 'updatedAt';
  /** Fields that lists are filtered by. Each combination of them has an index. */
  readonly filters: readonly string[];
  /**
   * A field that no two rows may share, unless it is null.
   * @default 'id'
   */
  readonly unique?: string | undefined;
}

/** A slice of a list, and the length of the list. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

/** The values that rows must have, by field. */
export type Equals = Readonly<Record<string, unknown>>;

/** Which rows of a list, and in which order. */
export interface Range<T> {
  readonly offset?: number;
  readonly limit?: number;
  /** A field and a direction: `lastMessageAt desc`. By default, newest first. */
  readonly order?: string;
  /** Keeps only the rows for which it returns true. */
  readonly matching?: ((row: T) => boolean) | undefined;
}

/** Returns every subset of the fields, including the empty one. */
const subsetsOf = (fields: readonly string[]): string[][] =>
  fields.reduce<string[][]>((found, field) => found.flatMap((some) => [some, [...some, field]]), [[]]);

/**
 * Counts the rows at the beginning that pass a test. All rows after the first failing one must fail too, because this is a
 * binary search.
 */
const countLeading = <T>(rows: readonly T[], test: (row: T) => boolean): number => {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(rows[middle] as T)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
};

/**
 * The rows of one resource, with a sorted list for each combination of filters and their values. A page is a slice of such
 * a list, so its cost does not depend on the number of rows.
 */
export class Table<T extends MockRow> {
  readonly #options: TableOptions;
  readonly #filters: string[];
  readonly #combinations: readonly string[][];
  readonly #unique: string;
  /** All fields that indexes read. */
  readonly #indexed: string[];
  /** In the order of creation. */
  #byId = new Map<string, T>();
  #byUnique = new Map<string, T>();
  /** The position of each id in the order of creation, which sorts rows of the same moment. */
  #positions = new Map<string, number>();
  #lastPosition = 0;
  /**
   * The non-empty lists, by the JSON of the values that their rows share. The oldest row comes first, so that new rows are
   * added at the end.
   */
  #lists = new Map<string, T[]>();

  constructor(options: TableOptions) {
    this.#options = options;
    this.#filters = [...options.filters];
    this.#combinations = subsetsOf(options.filters);
    this.#unique = options.unique ?? 'id';
    this.#indexed = [...options.filters, options.newestBy, this.#unique];
  }

  /** Returns a table with the same rows, which changes independently of this one. */
  copy(): Table<T> {
    const copy = new Table<T>(this.#options);
    copy.#byId = new Map(this.#byId);
    copy.#byUnique = new Map(this.#byUnique);
    copy.#positions = new Map(this.#positions);
    copy.#lastPosition = this.#lastPosition;
    copy.#lists = new Map([...this.#lists].map(([key, rows]) => [key, [...rows]]));
    return copy;
  }

  get(id: string): T | undefined {
    return this.#byId.get(id);
  }

  /** All rows, in the order of creation. */
  all(): IterableIterator<T> {
    return this.#byId.values();
  }

  /** Returns the row with a value of the unique field. */
  findUnique(value: string): T | undefined {
    return this.#byUnique.get(value);
  }

  /** Adds a row, or replaces the row with its id. */
  put(row: T): void {
    const before = this.#byId.get(row.id);
    // If no indexed field changes, the row keeps its place in all lists.
    const stays =
      before !== undefined && JSON.stringify(before, this.#indexed) === JSON.stringify(row, this.#indexed);
    if (before === undefined) {
      this.#lastPosition += 1;
      this.#positions.set(row.id, this.#lastPosition);
    } else if (!stays) {
      this.#removeFromIndexes(before);
    }
    this.#byId.set(row.id, row);
    const unique = fieldOf(row, this.#unique);
    if (unique !== null) {
      this.#byUnique.set(unique, row);
    }
    for (const fields of this.#combinations) {
      const key = JSON.stringify(row, fields);
      const rows = this.#lists.get(key) ?? [];
      this.#lists.set(key, rows);
      rows.splice(this.#indexIn(rows, row), stays ? 1 : 0, row);
    }
  }

  remove(id: string): void {
    const row = this.#byId.get(id);
    if (row !== undefined) {
      this.#removeFromIndexes(row);
      this.#byId.delete(id);
      this.#positions.delete(id);
    }
  }

  #removeFromIndexes(row: T): void {
    this.#byUnique.delete(fieldOf(row, this.#unique) ?? '');
    for (const fields of this.#combinations) {
      const key = JSON.stringify(row, fields);
      const rows = this.#lists.get(key) ?? [];
      rows.splice(this.#indexIn(rows, row), 1);
      if (rows.length === 0) {
        this.#lists.delete(key);
      }
    }
  }

  /** Returns some of the rows with these values of the filter fields. Only the default order has an index. */
  page(
    equals: Equals,
    { offset = 0, limit = Number.POSITIVE_INFINITY, order, matching }: Range<T> = {},
  ): Page<T> {
    const list = this.#list(equals);
    const isDefault = order === undefined || order === `${this.#options.newestBy} desc`;
    if (isDefault && matching === undefined) {
      const end = Math.max(0, list.length - offset);
      return { rows: list.slice(Math.max(0, end - limit), end).reverse(), total: list.length };
    }
    const newestFirst = list.filter((row) => matching?.(row) ?? true).reverse();
    const rows = isDefault ? newestFirst : sortRows(newestFirst, order);
    return { rows: rows.slice(offset, offset + limit), total: rows.length };
  }

  /** Counts the rows with these values between two moments, including both. */
  countBetween(equals: Equals, from: string, to: string): number {
    const rows = this.#list(equals);
    const count = (isBefore: (order: number) => boolean, moment: string) =>
      countLeading(rows, (row) => isBefore(compareValues(fieldOf(row, this.#options.newestBy), moment)));
    return Math.max(0, count((order) => order <= 0, to) - count((order) => order < 0, from));
  }

  #list(equals: Equals): readonly T[] {
    // The second argument puts the names into the order of the filters.
    return this.#lists.get(JSON.stringify(equals, this.#filters)) ?? [];
  }

  /** Returns the index of a row in a list, or the index at which to insert it. */
  #indexIn(rows: readonly T[], row: T): number {
    const { newestBy } = this.#options;
    const moment = fieldOf(row, newestBy);
    const position = this.#positions.get(row.id) ?? 0;
    const isBefore = (other: T) => {
      const order = compareValues(fieldOf(other, newestBy), moment);
      return order < 0 || (order === 0 && (this.#positions.get(other.id) ?? 0) < position);
    };
    const last = rows.at(-1);
    // Most rows are newer than all others.
    return last === undefined || isBefore(last) ? rows.length : countLeading(rows, isBefore);
  }
}
