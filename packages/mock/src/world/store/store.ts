import { unknownNames } from '@confab/internal';
import { CollectionError } from '../../errors/mock-error.ts';
import type { Clock } from '../clock/clock.ts';
import type { FaultPlan } from '../faults/fault.ts';
import type { ResourceName } from '../resources/names.ts';
import { RESOURCE_NAMES } from '../resources/names.ts';
import type { AnyResource, RowContext } from '../resources/resource.ts';
import type { Collections, MockInits } from '../resources/resources.ts';
import { RESOURCES } from '../resources/resources.ts';
import type { RowWatchers } from './collection.ts';
import { Collection } from './collection.ts';
import { compareValues, fieldOf } from './list-order.ts';
import { normalizePhone } from './phone.ts';
import type { Random } from './random.ts';
import type { MockRow, Table } from './table.ts';

/** Every list of {@link MockData}, as {@link Mock.dump} returns them. */
export type CompleteMockData = { readonly [Name in keyof MockInits]: readonly MockInits[Name][] };

type Lists = { readonly [Name in keyof MockInits]?: readonly MockInits[Name][] | undefined };

/**
 * The rows and faults that a mock starts with. Fields that a row leaves out get a default; `lastMessageAt` of a
 * conversation becomes the time of its newest message.
 */
export interface MockData extends Lists {
  /** Faults that are planned at the start, in this order. */
  readonly faults?: readonly FaultPlan[] | undefined;
  /** The JSON Schema of the file, for editors. */
  readonly $schema?: string | undefined;
}

/** All rows of a world, as a snapshot saves them. */
type StoreState = Readonly<Record<ResourceName, Table<MockRow>>>;

type AnyCollection = Collection<MockRow, object>;

interface StoreOptions {
  readonly random: Random;
  readonly clock: Pick<Clock, 'now'>;
  readonly defaultCountry?: string | undefined;
  /** The default source of a lead. */
  readonly source: string;
  readonly strict: boolean;
  readonly watchers: RowWatchers;
}

/** All collections of one account. */
class AllCollections {
  /** The collections by name, in the order in which they are loaded. */
  readonly collections: ReadonlyMap<ResourceName, AnyCollection>;
  readonly #defaultCountry: string | undefined;

  constructor({ random, clock, source, defaultCountry, strict, watchers }: StoreOptions) {
    this.#defaultCountry = defaultCountry;
    const collectionOf = ({ name }: AnyResource) => this.collections.get(name) as AnyCollection;
    const context: RowContext = {
      now: () => new Date(clock.now()).toISOString(),
      source,
      defaultCountry,
      collectionOf,
      firstIdOf(resource) {
        const collection = collectionOf(resource);
        return (collection.table.all().next().value ?? collection.create({})).id;
      },
    };
    const create = (resource: AnyResource): AnyCollection =>
      new Collection({
        resource,
        context,
        strict,
        ids: random,
        watchers,
        onChange: (row) => this.#updateNewest(resource, row),
        onDelete: (id) => this.#releaseReferences(resource, id, context),
      });
    this.collections = new Map(RESOURCE_NAMES.map((name) => [name, create(RESOURCES[name])]));
  }

  /** The same collections as properties, with their types. */
  get byName(): Collections {
    return Object.fromEntries(this.collections) as unknown as Collections;
  }

  /**
   * Adds rows to an empty store.
   *
   * @throws A {@link CollectionError} when a list is unknown, or a row invalid.
   */
  fill(data: MockData): void {
    const problem = unknownNames('data list', data, [...RESOURCE_NAMES, 'faults', '$schema']);
    if (problem !== undefined) {
      throw new CollectionError(problem);
    }
    for (const [name, collection] of this.collections) {
      collection.load(data[name] ?? [], `data.${name}`);
    }
    for (const { id, lastMessageAt } of data.conversations ?? []) {
      const newest = this.#newest(RESOURCES.messages, 'conversationId', id?.toLowerCase() ?? null);
      if (lastMessageAt === undefined && newest !== undefined) {
        this.#updateNewest(RESOURCES.messages, newest);
      }
    }
  }

  /** Returns every row, oldest first, so that {@link fill} keeps the order of rows of the same moment. */
  dump(): CompleteMockData {
    const lists = [...this.collections].map(([name, collection]) => [name, collection.find().toReversed()]);
    // In the order of creation, because the first pipeline is the default.
    const pipelines = [...(this.collections.get('pipelines')?.table.all() ?? [])];
    return { ...Object.fromEntries(lists), pipelines };
  }

  save(): StoreState {
    const tables = [...this.collections].map(([name, { snapshot }]) => [name, snapshot]);
    return Object.fromEntries(tables) as StoreState;
  }

  load(state: StoreState): void {
    for (const [name, collection] of this.collections) {
      collection.snapshot = state[name];
    }
  }

  /** Returns a phone number in E.164, or `undefined` if it is invalid. */
  normalizePhone(phone: string): string | undefined {
    return normalizePhone(phone, this.#defaultCountry);
  }

  /** Returns the newest row with a value of a field. */
  #newest({ name }: AnyResource, field: string, value: string | null): MockRow | undefined {
    return this.collections.get(name)?.table.page({ [field]: value }, { limit: 1 }).rows[0];
  }

  /** Updates the field `newestAt` of the rows to which a changed row refers. A later time, which a test has set, stays. */
  #updateNewest(resource: AnyResource, row: MockRow): void {
    const { newestBy, references = {} } = resource;
    for (const [field, { to, newestAt }] of Object.entries(references)) {
      const id = newestAt === undefined ? null : fieldOf(row, field);
      const target = id === null ? undefined : this.collections.get(to.name)?.get(id);
      if (target !== undefined && newestAt !== undefined) {
        const newest = fieldOf(this.#newest(resource, field, id) ?? {}, newestBy);
        const known = fieldOf(target, newestAt);
        const followed = known === fieldOf(row, newestBy);
        if (followed ? newest !== known : compareValues(newest, known) > 0) {
          this.collections.get(to.name)?.update(target.id, { [newestAt]: newest });
        }
      }
    }
  }

  /** Updates or deletes the rows that refer to a deleted row. */
  #releaseReferences(deleted: AnyResource, id: string, context: RowContext): void {
    for (const [name, collection] of this.collections) {
      const { references = {}, defaults } = RESOURCES[name] as AnyResource;
      for (const [field, { to, onDelete }] of Object.entries(references)) {
        for (const row of to === deleted ? collection.find({ [field]: id }) : []) {
          if (onDelete === 'delete') {
            collection.delete(row.id);
          } else {
            collection.update(row.id, { [field]: Reflect.get(defaults({}, context), field) });
          }
        }
      }
    }
  }
}

/** All collections of one account, which are also its properties. */
export type Store = AllCollections & Collections;

export const createStore = (options: StoreOptions): Store => {
  const all = new AllCollections(options);
  return Object.assign(all, all.byName);
};
