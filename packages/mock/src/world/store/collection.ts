import { describeIssues } from '@confab/client/contract';
import { unknownNames } from '@confab/internal';
import { Query } from '@msw/data';
import type * as z from 'zod/mini';
import { CollectionError } from '../../errors/collection-error.ts';
import type { MockRow } from '../../sorted/order.ts';
import type { Random } from '../random/random.ts';
import type { Equals, Page, TableOptions } from './table.ts';
import { Table } from './table.ts';

/** Values for some fields; `undefined` is the same as leaving one out. */
export type MockFields<T> = { readonly [Name in keyof T]?: T[Name] | undefined };

/** Which rows are meant: values that they must have, or a query as in `@msw/data`. */
export type Where<T> = MockFields<T> | ((query: Query<T>) => Query<T>);

/** What to change: some fields, or a function from the row as it is to some fields. */
export type Changes<T> = MockFields<Omit<T, 'id'>> | ((row: Readonly<T>) => MockFields<Omit<T, 'id'>>);

interface CollectionOptions<T extends MockRow, Init extends object> extends TableOptions {
  /** What one row is called in messages: `lead`. */
  readonly noun: string;
  /** Brings a row into its stored form. */
  readonly schema: z.ZodMiniType<T> & { readonly shape: object };
  /** Where ids come from, that sort after all before them. */
  readonly ids: Pick<Random, 'id' | 'follow'>;
  /** A whole row but its id, from which what was left out is filled in. */
  readonly defaults: (values: Init) => Omit<T, 'id'>;
  /** Does what the schema can't, for one account; throws an error made by `refusal` for a row that can't be stored. */
  readonly normalize?: (row: T, refusal: (why: string) => CollectionError) => T;
  /** What else has to change with rows that are added. */
  readonly onAdd?: (rows: readonly Readonly<T>[]) => void;
  /** What else has to change with a row that is deleted. */
  readonly onDelete?: (row: Readonly<T>) => void;
}

const defined = <T extends object>(values: T): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;

const matches = <T extends object>(row: T, equals: MockFields<T>): boolean =>
  Object.entries(equals).every(([field, value]) => value === undefined || Reflect.get(row, field) === value);

/**
 * The rows of one resource: what tests arrange and look at, and what the operations work on.
 *
 * Everything is synchronous, so that a check and the change that depends on it can't be torn apart by a request
 * in between. Rows are frozen.
 */
export class Collection<T extends MockRow, Init extends object = MockFields<T>> {
  readonly #options: CollectionOptions<T, Init>;
  readonly #fields: readonly string[];
  #table: Table<T>;

  constructor(options: CollectionOptions<T, Init>) {
    this.#options = options;
    this.#fields = Object.keys(options.schema.shape);
    this.#table = Table.of<T>(options);
  }

  /**
   * Adds a row; what is left out is filled in.
   *
   * @throws {CollectionError} If a value or a field does not fit the contract, or the id or a unique value is taken.
   * @example
   * const lead = mock.leads.create({ phone: '+5511987654321', status: 'qualified' });
   */
  create(values: Init): Readonly<T> {
    const row = this.#checked(this.#complete(values));
    if (this.#table.get(row.id) !== undefined) {
      throw this.#error(`there is one with the id ${row.id} already`);
    }
    this.#table = this.#table.with(row);
    this.#options.ids.follow(row.id);
    this.#options.onAdd?.([row]);
    return row;
  }

  /**
   * The row with an id, or `undefined`.
   *
   * @example
   * mock.leads.get(lead.id)?.status;
   */
  get(id: string): Readonly<T> | undefined {
    return this.#table.get(id.toLowerCase());
  }

  /**
   * Rows that match, newest first, and by id among those of one moment; all of them without a query.
   *
   * @throws {CollectionError} For a field that no row has.
   * @example
   * mock.leads.find({ status: 'new' });
   * mock.leads.find((q) => q.where({ email: (email) => email?.endsWith('@example.com') }));
   */
  find(where: Where<T> = {}): readonly Readonly<T>[] {
    if (typeof where === 'function') {
      const query = where(new Query<T>());
      return this.#table.page({}).rows.filter((row) => query.test(row));
    }
    const problem = this.#misspelled(where);
    if (problem !== undefined) {
      throw new CollectionError(problem);
    }
    return this.#candidates(where).filter((row) => matches(row, where));
  }

  /**
   * Changes some fields of a row and returns it as it then is.
   *
   * @throws {CollectionError} If there is no such row, or it would not fit the contract or be unique any more.
   * @example
   * mock.leads.update(lead.id, { status: 'lost' });
   * mock.leads.update(lead.id, ({ displayName }) => ({ displayName: `${displayName}!` }));
   */
  update(id: string, changes: Changes<T>): Readonly<T> {
    const before = this.#existing(id);
    const given = typeof changes === 'function' ? changes(before) : changes;
    // A function may have changed the row itself meanwhile.
    const after = this.#checked({ ...this.#existing(id), ...defined(given), id: before.id });
    this.#table = this.#table.with(after);
    return after;
  }

  /**
   * Removes a row; false if there was none.
   *
   * @example
   * mock.leads.delete(lead.id);
   */
  delete(id: string): boolean {
    const row = this.get(id);
    if (row === undefined) {
      return false;
    }
    this.#table = this.#table.without(row);
    this.#options.onDelete?.(row);
    return true;
  }

  /**
   * How many rows match; all of them without a query.
   *
   * @throws {CollectionError} For a field that no row has.
   * @example
   * mock.leads.count({ status: 'converted' });
   */
  count(where: Where<T> = {}): number {
    const plain = typeof where === 'object' && this.#isIndexed(where);
    return plain ? this.#table.page(where as Equals, { limit: 0 }).total : this.find(where).length;
  }

  /** The table as it is: it never changes, so it can be kept and put back. */
  get table(): Table<T> {
    return this.#table;
  }

  set table(table: Table<T>) {
    this.#table = table;
  }

  /**
   * Puts rows into an empty collection at once, at a fraction of the cost of one by one.
   *
   * @param list What they are called in messages: `data.leads`.
   */
  load(all: readonly Init[], list: string): void {
    const { unique, ids, onAdd } = this.#options;
    // Before the first id is made here, which may be that of a later row otherwise.
    for (const values of all) {
      const id: unknown = Reflect.get(values, 'id');
      if (typeof id === 'string') {
        ids.follow(id);
      }
    }
    const rows = new Map<string, T>();
    const taken = new Set<unknown>();
    for (const [at, values] of all.entries()) {
      const name = `${list}[${at}]`;
      const row = this.#fitting(this.#complete(values), name);
      if (rows.has(row.id)) {
        throw this.#error(`there is one with the id ${row.id} already`, name);
      }
      rows.set(row.id, row);
      const value: unknown = unique === undefined ? null : Reflect.get(row, unique);
      if (value === null) {
        continue;
      }
      if (taken.has(value)) {
        throw this.#error(`there is one with the ${unique} ${String(value)} already`, name);
      }
      taken.add(value);
    }
    this.#table = Table.of<T>(this.#options, [...rows.values()]);
    onAdd?.([...rows.values()]);
  }

  /** Some rows of a list, and how many it has. */
  page(
    where: MockFields<T>,
    range: { offset: number; limit: number },
    matching?: (row: T) => boolean,
  ): Page<T> {
    if (matching === undefined) {
      return this.#table.page(where as Equals, range);
    }
    const rows = this.#table.page(where as Equals).rows.filter(matching);
    return { rows: rows.slice(range.offset, range.offset + range.limit), total: rows.length };
  }

  /** The row that has a value of the unique field. */
  holding(value: string): Readonly<T> | undefined {
    return this.#table.holding(value);
  }

  /** How many rows with these values of the filter fields are from within a range of time, both ends included. */
  countBetween(where: MockFields<T>, from: string, to: string): number {
    return this.#table.countBetween(where as Equals, from, to);
  }

  #misspelled(values: object): string | undefined {
    return unknownNames(`${this.#options.noun} field`, values, this.#fields);
  }

  #existing(id: string): Readonly<T> {
    const row = this.get(id);
    if (row === undefined) {
      throw this.#error(`there is none with the id ${id}; find() lists those that are`);
    }
    return row;
  }

  #complete(values: Init): T {
    const given = defined(values);
    const id = 'id' in given ? {} : { id: this.#options.ids.id() };
    return { ...id, ...this.#options.defaults(values), ...given } as unknown as T;
  }

  /** As few rows as an index can tell, among them all that match. */
  #candidates(where: MockFields<T>): readonly T[] {
    const { unique } = this.#options;
    const id: unknown = Reflect.get(where, 'id');
    const value: unknown = unique === undefined ? undefined : Reflect.get(where, unique);
    if (typeof id !== 'string' && typeof value !== 'string') {
      return this.#table.page(this.#indexed(where)).rows;
    }
    const row = typeof id === 'string' ? this.#table.get(id) : this.#table.holding(value as string);
    return row === undefined ? [] : [row];
  }

  #isIndexed(where: MockFields<T>): boolean {
    return Object.keys(where).every((field) => this.#options.filters.includes(field));
  }

  #indexed(where: MockFields<T>): Equals {
    return Object.fromEntries(
      Object.entries(where).filter(
        ([field, value]) => value !== undefined && this.#options.filters.includes(field),
      ),
    );
  }

  #checked(row: T): T {
    const fitting = this.#fitting(row);
    const { unique } = this.#options;
    const value: unknown = unique === undefined ? null : Reflect.get(fitting, unique);
    const holder = typeof value === 'string' ? this.#table.holding(value) : undefined;
    if (holder !== undefined && holder.id !== fitting.id) {
      throw this.#error(`the one with the id ${holder.id} has the ${unique} ${String(value)} already`);
    }
    return fitting;
  }

  #fitting(row: T, name?: string): T {
    const result = this.#options.schema.safeParse(row);
    if (!result.success) {
      const problem = this.#misspelled(row);
      if (problem !== undefined) {
        throw this.#error(problem.replace('Unknown', 'unknown'), name);
      }
      const issues = describeIssues(result.error, row).map(
        ({ path, message }) => `${path === '' ? 'it' : path} ${message}`,
      );
      throw this.#error(issues.join('; '), name);
    }
    const refusal = (why: string) => this.#error(why, name);
    return Object.freeze(this.#options.normalize?.(result.data, refusal) ?? result.data);
  }

  #error(why: string, name = `This ${this.#options.noun}`): CollectionError {
    return new CollectionError(`${name} can't be stored: ${why}`);
  }
}
