import { Ordered } from './ordered.ts';

const places = new WeakMap<object, number>();

let latest = 0;

/** Makes a row the last of all rows so far, for lists whose rows are of the same moment. */
export const placeLast = (row: object): void => {
  latest += 1;
  places.set(row, latest);
};

/** Puts a changed row in the place of its earlier version. */
export const keepPlace = (after: object, before: object): void => {
  places.set(after, placeOf(before));
};

/** The place of a row in the order of creation; 0 if it has none. */
export const placeOf = (row: object): number => places.get(row) ?? 0;

/** The base of all rows. */
export interface MockRow {
  /** The id of the row, a UUID. */
  readonly id: string;
}

/** The field by which lists are sorted, newest first. */
type NewestBy = 'createdAt' | 'updatedAt';

/** A value of a field with an index: a string, or null. */
type Value = string | null;

/** The value of a field. Only indexes read rows by field name. */
export const fieldOf = (row: object, field: string): Value => Reflect.get(row, field) ?? null;

/** Null before every string. */
export const compareValues = (a: Value, b: Value): number => {
  if (a === b) {
    return 0;
  }
  if (a === null) {
    return -1;
  }
  return b !== null && a < b ? -1 : 1;
};

/** Compares a row to values for some fields: it sorts before (-1), among (0) or after (1) the rows with these values. */
const sideOf = (row: object, fields: readonly string[], wanted: object): number => {
  for (const field of fields) {
    const order = compareValues(fieldOf(row, field), fieldOf(wanted, field));
    if (order !== 0) {
      return order;
    }
  }
  return 0;
};

/** Sorts by some fields, then by age, newest first, then by the order of creation, last first, then by id. */
const byFieldsThenNewest =
  (fields: readonly string[], newestBy: NewestBy) =>
  (a: MockRow, b: MockRow): number =>
    sideOf(a, fields, b) ||
    compareValues(fieldOf(b, newestBy), fieldOf(a, newestBy)) ||
    placeOf(b) - placeOf(a) ||
    compareValues(b.id, a.id);

/** Every subset of the fields, including the empty one. */
const subsets = <T>(fields: readonly T[]): T[][] => {
  let found: T[][] = [[]];
  for (const field of fields) {
    found = found.flatMap((subset) => [subset, [...subset, field]]);
  }
  return found;
};

/** How a table is sorted and indexed. */
export interface TableOptions {
  readonly newestBy: NewestBy;
  /** Fields whose every combination can be listed, paged and counted without a scan. */
  readonly filters: readonly string[];
  /** A field that no two rows may share, unless it is null. */
  readonly unique?: string | undefined;
}

/** A slice of a list, newest first, and how long the list is. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

/** Values that rows must have, field by field. */
export type Equals = Readonly<Record<string, unknown>>;

/** The rows in one order for each set of filters, and by each field that is unique. The key is the names of the fields. */
type Indexes<T> = ReadonlyMap<string, Ordered<T>>;

/**
 * The rows of one resource, with an index for every way in which they are listed.
 *
 * Tables are immutable: each change returns a new table, so a snapshot only has to keep the old one.
 */
export class Table<T extends MockRow> {
  readonly #options: TableOptions;
  readonly #indexes: Indexes<T>;

  private constructor(options: TableOptions, indexes: Indexes<T>) {
    this.#options = options;
    this.#indexes = indexes;
  }

  static of<T extends MockRow>(options: TableOptions, rows: readonly T[] = []): Table<T> {
    const { unique = 'id', newestBy, filters } = options;
    // Rows without a value of the unique field are told apart by their ids.
    const byUnique = (field: string) => (a: T, b: T) => sideOf(a, [field, 'id'], b);
    return new Table(
      options,
      new Map([
        ['id', Ordered.by(byUnique('id'), rows)],
        [unique, Ordered.by(byUnique(unique), rows)],
        ...subsets(filters).map((fields): [string, Ordered<T>] => [
          fields.join(),
          Ordered.by(byFieldsThenNewest(fields, newestBy), rows),
        ]),
      ]),
    );
  }

  get(id: string): T | undefined {
    return this.#only('id', id);
  }

  /** The row that holds a value of the unique field. */
  holding(value: string): T | undefined {
    return this.#only(this.#options.unique ?? 'id', value);
  }

  /** Returns the table with a row added, or in place of the row with its id. */
  with(row: T): Table<T> {
    const before = this.get(row.id);
    const indexes = new Map<string, Ordered<T>>();
    for (const [key, rows] of this.#indexes) {
      // A row that keeps its position simply replaces its earlier version.
      const moves = before !== undefined && rows.compare(before, row) !== 0;
      indexes.set(key, (moves ? rows.without(before) : rows).with(row));
    }
    return new Table(this.#options, indexes);
  }

  without(row: T): Table<T> {
    return new Table(
      this.#options,
      new Map([...this.#indexes].map(([key, rows]) => [key, rows.without(row)])),
    );
  }

  /** Returns the rows with these values of the filter fields, newest first. */
  page(equals: Equals, { offset = 0, limit = Number.POSITIVE_INFINITY } = {}): Page<T> {
    const { fields, rows } = this.#index(equals);
    const isAll = fields.length === 0;
    const start = isAll ? 0 : rows.rank((row) => sideOf(row, fields, equals) < 0);
    const end = isAll ? rows.size : rows.rank((row) => sideOf(row, fields, equals) <= 0);
    return { rows: rows.slice(start + offset, Math.min(start + offset + limit, end)), total: end - start };
  }

  /** Counts the rows with these values between two moments, both included. */
  countBetween(equals: Equals, from: string, to: string): number {
    const { newestBy } = this.#options;
    const { fields, rows } = this.#index(equals);
    const after = (moment: string, included: boolean) =>
      rows.rank((row) => {
        const order = sideOf(row, fields, equals);
        if (order !== 0) {
          return order < 0;
        }
        const newer = compareValues(fieldOf(row, newestBy), moment);
        return included ? newer >= 0 : newer > 0;
      });
    return Math.max(0, after(from, true) - after(to, false));
  }

  #rows(key: string): Ordered<T> {
    // Every combination of filters has an index.
    return this.#indexes.get(key) as Ordered<T>;
  }

  #only(field: string, value: Value): T | undefined {
    const found = this.#rows(field).firstAfter((row) => compareValues(fieldOf(row, field), value) < 0);
    return found !== undefined && fieldOf(found, field) === value ? found : undefined;
  }

  #index(equals: Equals): { readonly fields: readonly string[]; readonly rows: Ordered<T> } {
    const fields = this.#options.filters.filter((field) => equals[field] !== undefined);
    return { fields, rows: this.#rows(fields.join()) };
  }
}
