import { typeName } from '@confab/internal';
import { formatValue } from '../../errors/check.ts';
import { CollectionError } from '../../errors/mock-error.ts';
import type { Resource, RowContext } from '../resources/resource.ts';
import type { Query } from './condition.ts';
import { createQuery, isQuery } from './condition.ts';
import { fieldOf } from './list-order.ts';
import type { Random } from './random.ts';
import {
  checkRowObject,
  restrictEnums,
  rowError,
  toStored,
  toStoredValues,
  unknownField,
  withoutUndefined,
} from './row-check.ts';
import type { Equals, MockFields, MockRow } from './table.ts';
import { Table } from './table.ts';

/** Selects rows: by the values of some fields, or by a query as in `@msw/data`. */
export type Where<T> = MockFields<T> | Query<T> | ((query: Query<T>) => Query<T>);

/** Changes to a row: some fields, or a function that returns them for the current row. */
export type Changes<T> = MockFields<Omit<T, 'id'>> | ((row: Readonly<T>) => MockFields<Omit<T, 'id'>>);

export interface RowWatchers {
  rowChanged(collection: string, id: string): void;
}

interface CollectionOptions<T extends MockRow, Init extends object> {
  readonly resource: Resource<T, Init>;
  readonly context: RowContext;
  /** Whether to refuse values that the contract's enums do not list, and ids of rows that do not exist. */
  readonly strict: boolean;
  /** Creates ids that sort after all earlier ids. */
  readonly ids: Pick<Random, 'id' | 'follow'>;
  /** Notified of each row that is created, changed or deleted, but not of loaded rows. */
  readonly watchers: RowWatchers;
  /** Updates the rows to which a created, changed or deleted row refers. For a change, it is called with both versions. */
  readonly onChange: (row: T) => void;
  /** Updates the rows that refer to a deleted row. */
  readonly onDelete: (id: string) => void;
}

const matches = (row: object, equals: Equals): boolean =>
  Object.entries(equals).every(([field, value]) => Reflect.get(row, field) === value);

/** The rows of one resource. Changing a row directly emits no webhooks. */
export interface MockCollection<T extends MockRow, Init extends object = MockFields<T>> {
  /**
   * Creates a row. Fields that you leave out get a default.
   *
   * @throws A {@link CollectionError} when a field or value does not match the contract, or the id or a unique value is
   * taken.
   * @example
   * ```ts
   * const lead = mock.leads.create({ phone: '+5511987654321', status: 'qualified' });
   * const { id } = mock.conversations.create({ leadId: lead.id });
   * mock.messages.create({ conversationId: id, content: 'Hello' });
   * ```
   */
  create(values: Init): Readonly<T>;
  /**
   * Returns the row with an id, or `undefined` if there is none.
   *
   * @throws A {@link CollectionError} when the id is not a string.
   */
  get(id: string): Readonly<T> | undefined;
  /**
   * Returns the rows that match, newest first. Without a query, it returns all rows. Values are normalized as in
   * `create()`, so a phone number may have spaces. Functions receive the stored values.
   *
   * @throws A {@link CollectionError} when a field is unknown.
   * @example
   * ```ts
   * mock.leads.find({ status: 'new' });
   * mock.messages.find((q) => q.where({ content: (content) => content?.startsWith('Hello') }));
   * ```
   */
  find(where?: Where<T>): readonly Readonly<T>[];
  /**
   * Changes some fields of a row, and returns the changed row.
   *
   * @throws A {@link CollectionError} when no row has the id, or the changed row would be invalid or not unique.
   * @example
   * ```ts
   * mock.leads.update(lead.id, { status: 'lost' });
   * mock.leads.update(lead.id, ({ displayName }) => ({ displayName: `${displayName}!` }));
   * ```
   */
  update(id: string, changes: Changes<T>): Readonly<T>;
  /** Deletes a row, and returns whether it existed. */
  delete(id: string): boolean;
  /**
   * Counts the rows that match, or all rows if there is no query.
   *
   * @throws A {@link CollectionError} when a field is unknown.
   */
  count(where?: Where<T>): number;
}

/**
 * The rows of one resource, which tests and operations read and change. Rows are frozen.
 *
 * All methods are synchronous, so that no request can run between a check and the change that depends on it.
 */
export class Collection<T extends MockRow, Init extends object = MockFields<T>>
  implements MockCollection<T, Init>
{
  readonly #options: CollectionOptions<T, Init>;
  readonly #resource: Resource<T, Init>;
  /** The name of a row in messages. */
  readonly #thisRow: string;
  #table: Table<T>;
  /** Whether a snapshot shares the table, so that the next change must copy it. */
  #isShared = false;

  constructor(options: CollectionOptions<T, Init>) {
    this.#options = options;
    const { resource, strict } = options;
    const { schema, openEnums = {} } = resource;
    this.#resource = strict ? { ...resource, schema: restrictEnums(schema, openEnums) } : resource;
    this.#thisRow = `This ${resource.noun}`;
    this.#table = new Table<T>(resource);
  }

  create(values: Init): Readonly<T> {
    const row = this.#insert(this.#own(), values, this.#thisRow);
    if ('id' in values) {
      this.#options.ids.follow(row.id);
    }
    this.#reportChange(row);
    return row;
  }

  get(id: string): Readonly<T> | undefined {
    if (typeof id !== 'string') {
      throw new CollectionError(
        `The id of a ${this.#resource.noun} must be a string, got ${formatValue(id)}.`,
      );
    }
    return this.#table.get(id.toLowerCase());
  }

  find(where: Where<T> = {}): readonly Readonly<T>[] {
    if (typeof where === 'function' || isQuery(where)) {
      const query = isQuery(where) ? where : (where(createQuery<T>()) as Query<T> | undefined);
      if (typeof query?.test !== 'function') {
        throw new CollectionError(
          `find() must be called with fields, or with a function that returns a query: find((q) => q.where((${this.#resource.noun}) => …)).`,
        );
      }
      return this.#table.page({}).rows.filter((row) => query.test(row));
    }
    const problem =
      typeof where !== 'string'
        ? unknownField(this.#resource, where)
        : `find() must be called with fields, such as { id: '…' }, or with a function, got ${formatValue(where)}. get(id) returns the row with an id.`;
    if (problem !== undefined) {
      throw new CollectionError(problem);
    }
    const equals = toStoredValues(this.#resource, where, this.#options.context);
    return this.#candidates(equals).filter((row) => matches(row, equals));
  }

  update(id: string, changes: Changes<T>): Readonly<T> {
    const before = this.get(id);
    if (before === undefined) {
      throw new CollectionError(`No ${this.#resource.noun} has the id ${id}.`);
    }
    const given = typeof changes === 'function' ? changes(before) : changes;
    checkRowObject(given, `The changes of this ${this.#resource.noun}`);
    const { id: changed = before.id } = given as { readonly id?: string };
    if (changed !== before.id) {
      throw rowError(this.#thisRow, 'its id cannot change.');
    }
    const table = this.#own();
    const after = this.#toStored(
      table,
      { ...before, ...withoutUndefined(given), id: before.id },
      this.#thisRow,
    );
    table.put(after);
    this.#reportChange(after);
    this.#options.onChange(before);
    return after;
  }

  delete(id: string): boolean {
    const row = this.get(id);
    if (row === undefined) {
      return false;
    }
    this.#own().remove(row.id);
    this.#options.onDelete(row.id);
    this.#reportChange(row);
    return true;
  }

  count(where: Where<T> = {}): number {
    const isIndexed =
      typeName(where) === 'an object' &&
      !isQuery(where) &&
      Object.keys(where).every((field) => this.#resource.filters.includes(field));
    return isIndexed
      ? this.#table.page(toStoredValues(this.#resource, where, this.#options.context), { limit: 0 }).total
      : this.find(where).length;
  }

  /** The rows with their indexes, for reading. */
  get table(): Pick<Table<T>, 'get' | 'all' | 'findUnique' | 'countBetween' | 'page'> {
    return this.#table;
  }

  /** The rows at this moment. Later changes copy the table first, so taking and restoring a snapshot copies nothing. */
  get snapshot(): Table<T> {
    this.#isShared = true;
    return this.#table;
  }

  set snapshot(table: Table<T>) {
    this.#isShared = true;
    this.#table = table;
  }

  /**
   * Adds rows to an empty collection, oldest first, at a fraction of the cost of creating them one by one.
   *
   * @param list The name of the rows in messages: `data.leads`.
   */
  load(all: readonly Init[], list: string): void {
    if (!Array.isArray(all)) {
      throw new CollectionError(`${list} must be an array of rows, got ${typeName(all)}.`);
    }
    // Before any id is created, because a new id could be that of a later row.
    for (const values of all) {
      this.#options.ids.follow(String(Object(values).id));
    }
    for (const [index, values] of all.entries()) {
      this.#insert(this.#table, values, `${list}[${index}]`);
    }
  }

  /** Returns the table for a change: a copy if a snapshot shares it. */
  #own(): Table<T> {
    if (this.#isShared) {
      this.#table = this.#table.copy();
      this.#isShared = false;
    }
    return this.#table;
  }

  #reportChange(row: T): void {
    this.#options.watchers.rowChanged(this.#resource.name, row.id);
    this.#options.onChange(row);
  }

  /** Adds a new row to a table. */
  #insert(table: Table<T>, values: Init, what: string): T {
    checkRowObject(values, what);
    const given = withoutUndefined(values);
    const id = 'id' in given ? {} : { id: this.#options.ids.id() };
    const complete = {
      ...id,
      ...this.#resource.defaults(values, this.#options.context),
      ...given,
    } as unknown as T;
    const row = this.#toStored(table, complete, what);
    if (table.get(row.id) !== undefined) {
      throw rowError(what, `there is already one with the id ${row.id}.`);
    }
    table.put(row);
    return row;
  }

  /** The smallest set of rows that an index can select and that includes every match. */
  #candidates(equals: Equals): readonly T[] {
    const { unique = 'id' } = this.#resource;
    const { id, [unique]: value } = equals;
    if (typeof id !== 'string' && typeof value !== 'string') {
      return this.#table.page(equals).rows;
    }
    const row = typeof id === 'string' ? this.#table.get(id) : this.#table.findUnique(value as string);
    return row === undefined ? [] : [row];
  }

  /** Checks a row, also against the other rows of a table, and returns the row to store. */
  #toStored(table: Table<T>, row: T, what: string): T {
    const { context, strict } = this.#options;
    const { noun, unique = 'id', references = {} } = this.#resource;
    const stored = toStored(this.#resource, row, what, context);
    const value = fieldOf(stored, unique);
    const holder = value === null ? undefined : table.findUnique(value);
    if (holder !== undefined && holder.id !== stored.id) {
      throw rowError(what, `the ${noun} ${holder.id} already has the ${unique} ${value}.`);
    }
    for (const [field, { to }] of Object.entries(strict ? references : {})) {
      const id = fieldOf(stored, field);
      if (id !== null && context.collectionOf(to).table.get(id) === undefined) {
        throw rowError(what, `its ${field} must be the id of an existing row, got ${id}.`);
      }
    }
    return stored;
  }
}
