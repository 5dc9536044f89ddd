import { MockError } from '../../errors/mock-error.ts';
import { Keyed } from './keyed.ts';
import type { MockRow, NewestBy } from './order.ts';
import { byFieldsThenNewest, compareValues, fieldOf, sideOf, subsets } from './order.ts';
import { Ordered } from './ordered.ts';

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

interface Index<T> {
  readonly fields: readonly string[];
  readonly rows: Ordered<T>;
}

/** Values that rows must have, field by field. */
export type Equals = Readonly<Record<string, unknown>>;

/**
 * The rows of one resource, with an index for every way in which they are listed.
 *
 * Tables are immutable: each change returns a new table, so a snapshot only has to keep the old one.
 */
export class Table<T extends MockRow> {
  readonly #options: TableOptions;
  readonly #byId: Keyed<T>;
  readonly #byUnique: Keyed<T>;
  readonly #indexes: readonly Index<T>[];

  private constructor(
    options: TableOptions,
    rows: { byId: Keyed<T>; byUnique: Keyed<T>; indexes: readonly Index<T>[] },
  ) {
    this.#options = options;
    this.#byId = rows.byId;
    this.#byUnique = rows.byUnique;
    this.#indexes = rows.indexes;
  }

  static of<T extends MockRow>(options: TableOptions, rows: readonly T[] = []): Table<T> {
    const { unique, newestBy, filters } = options;
    return new Table(options, {
      byId: Keyed.by<T>(({ id }) => id, rows),
      byUnique: Keyed.by<T>(
        (row) => String(fieldOf(row, unique ?? 'id')),
        unique === undefined ? [] : rows.filter((row) => fieldOf(row, unique) !== null),
      ),
      indexes: subsets(filters).map((fields) => ({
        fields,
        rows: Ordered.by<T>(byFieldsThenNewest(fields, newestBy), rows),
      })),
    });
  }

  get size(): number {
    return this.#index({}).rows.size;
  }

  get(id: string): T | undefined {
    return this.#byId.get(id);
  }

  /** The row that holds a value of the unique field. */
  holding(value: string): T | undefined {
    return this.#byUnique.get(value);
  }

  /** Returns the table with a row added, or in place of the row with its id. */
  with(row: T): Table<T> {
    const before = this.get(row.id);
    const { unique, newestBy } = this.#options;
    let byUnique = this.#byUnique;
    if (unique !== undefined) {
      const [held, wanted] = [before && fieldOf(before, unique), fieldOf(row, unique)];
      if (before !== undefined && held !== null && held !== wanted) {
        byUnique = byUnique.without(before);
      }
      if (wanted !== null) {
        byUnique = byUnique.with(row);
      }
    }
    return new Table(this.#options, {
      byId: this.#byId.with(row),
      byUnique,
      indexes: this.#indexes.map(({ fields, rows }) => {
        // A row that keeps its position simply replaces its earlier version.
        const moves = before !== undefined && byFieldsThenNewest(fields, newestBy)(before, row) !== 0;
        return { fields, rows: (moves ? rows.without(before) : rows).with(row) };
      }),
    });
  }

  without(row: T): Table<T> {
    const { unique } = this.#options;
    return new Table(this.#options, {
      byId: this.#byId.without(row),
      byUnique:
        unique !== undefined && fieldOf(row, unique) !== null ? this.#byUnique.without(row) : this.#byUnique,
      indexes: this.#indexes.map(({ fields, rows }) => ({ fields, rows: rows.without(row) })),
    });
  }

  /** Returns the rows with these values of the filter fields, newest first. */
  page(equals: Equals, { offset = 0, limit = Number.POSITIVE_INFINITY } = {}): Page<T> {
    const { rows, start, end } = this.#range(equals);
    return { rows: rows.slice(start + offset, Math.min(start + offset + limit, end)), total: end - start };
  }

  /** Counts the rows with these values between two moments, both included. */
  countBetween(equals: Equals, from: string, to: string): number {
    const { newestBy } = this.#options;
    const { fields, rows } = this.#index(equals);
    const side = (row: T) => sideOf(row, fields, equals);
    const after = (moment: string, included: boolean) =>
      rows.rank((row) => {
        const order = side(row);
        if (order !== 0) {
          return order < 0;
        }
        const newer = compareValues(fieldOf(row, newestBy), moment);
        return included ? newer >= 0 : newer > 0;
      });
    return Math.max(0, after(from, true) - after(to, false));
  }

  #index(equals: Equals): Index<T> {
    const wanted = this.#options.filters.filter((field) => equals[field] !== undefined);
    const index = this.#indexes.find(
      ({ fields }) => fields.length === wanted.length && fields.every((field, at) => field === wanted[at]),
    );
    // Never happens, because every combination has an index.
    if (index === undefined) {
      throw new MockError('INTERNAL', `No index for the fields ${wanted.join(', ')}`);
    }
    return index;
  }

  #range(equals: Equals): { rows: Ordered<T>; start: number; end: number } {
    const { fields, rows } = this.#index(equals);
    if (fields.length === 0) {
      return { rows, start: 0, end: rows.size };
    }
    return {
      rows,
      start: rows.rank((row) => sideOf(row, fields, equals) < 0),
      end: rows.rank((row) => sideOf(row, fields, equals) <= 0),
    };
  }
}
