import type { Agent, Conversation, Message } from '@confab/client/contract';
import { unknownNames } from '@confab/internal';
import { CollectionError } from '../../errors/mock-error.ts';
import type { Clock } from '../clock/clock.ts';
import type { FaultPlan } from '../faults/fault.ts';
import type { MockFields, RowWatchers } from './collection.ts';
import { Collection } from './collection.ts';
import { normalizePhone } from './phone.ts';
import type { Random } from './random.ts';
import type { Pipeline, StoredLead } from './rows.ts';
import type { RuleContext } from './rules.ts';
import { agentRules, conversationRules, leadRules, messageRules, pipelineRules } from './rules.ts';
import type { MockRow, Table } from './table.ts';

/** The fields of a new message: it needs a conversation, and everything else has a default. */
export type MessageInit = MockFields<Message> & Pick<Message, 'conversationId'>;

/** What a mock starts with: rows, and faults. Fields that a row leaves out get a default. */
export interface MockData {
  /** The first one is the pipeline of leads and conversations that name none. */
  readonly pipelines?: readonly MockFields<Pipeline>[] | undefined;
  /** Agents to invoke. */
  readonly agents?: readonly MockFields<Agent>[] | undefined;
  /** Leads, with their notes. */
  readonly leads?: readonly MockFields<StoredLead>[] | undefined;
  /** Conversations, with or without a lead. */
  readonly conversations?: readonly MockFields<Conversation>[] | undefined;
  /** Messages of these conversations. */
  readonly messages?: readonly MessageInit[] | undefined;
  /** Faults that are planned at the start, in this order. */
  readonly faults?: readonly FaultPlan[] | undefined;
  /** The schema of the file that this comes from, for editors. */
  readonly $schema?: string | undefined;
}

/** The names of all lists of {@link MockData}, in the order in which they are loaded: leads need a pipeline. */
export const LISTS = ['pipelines', 'agents', 'leads', 'conversations', 'messages'] as const;

type ListName = (typeof LISTS)[number];

/** Every list of {@link MockData}, as {@link Mock.dump} returns them. */
export type CompleteMockData = { readonly [Name in ListName]: NonNullable<MockData[Name]> };

/** All rows of a world, as a snapshot saves them. */
export type StoreState = Readonly<Record<ListName, Table<MockRow>>>;

/** What a store does with all of its collections alike. */
type AnyCollection = Pick<Collection<MockRow, object>, 'load' | 'find' | 'count' | 'table' | 'snapshot'>;

interface StoreOptions extends Pick<RuleContext, 'source' | 'strict'> {
  readonly random: Random;
  readonly clock: Pick<Clock, 'now'>;
  readonly defaultCountry?: string | undefined;
  /** Notified of each row that is created, changed or deleted. */
  readonly watchers: RowWatchers;
}

/** The resources of one account. */
export class Store {
  readonly pipelines: Collection<Pipeline>;
  readonly agents: Collection<Agent>;
  readonly leads: Collection<StoredLead>;
  readonly conversations: Collection<Conversation>;
  readonly messages: Collection<Message, MessageInit>;
  /** All collections, by name. */
  readonly collections: ReadonlyMap<ListName, AnyCollection>;
  readonly #defaultCountry: string | undefined;

  constructor({ random: ids, clock, defaultCountry, source, strict, watchers }: StoreOptions) {
    this.#defaultCountry = defaultCountry;
    const now = () => new Date(clock.now()).toISOString();
    const context: RuleContext = { store: this, now, source, strict };
    this.pipelines = new Collection({ ...pipelineRules(context), ids, watchers });
    this.agents = new Collection({ ...agentRules(context), ids, watchers });
    this.leads = new Collection({ ...leadRules(context), ids, watchers });
    this.conversations = new Collection({ ...conversationRules(context), ids, watchers });
    this.messages = new Collection({ ...messageRules(context), ids, watchers });
    this.collections = new Map(LISTS.map((name) => [name, this[name]]));
  }

  /** The pipeline of leads that name none: the first one, which is created if there is none. */
  firstPipeline(): Readonly<Pipeline> {
    return this.pipelines.table.all().next().value ?? this.pipelines.create({});
  }

  /**
   * Adds rows to an empty store.
   *
   * @throws {@link CollectionError} When a list is unknown, or a row invalid.
   */
  fill(data: MockData): void {
    const problem = unknownNames('list of data', data, [...LISTS, 'faults', '$schema']);
    if (problem !== undefined) {
      throw new CollectionError(problem);
    }
    for (const [name, collection] of this.collections) {
      collection.load(data[name] ?? [], `data.${name}`);
    }
  }

  /** Returns every row, oldest first: rows of the same moment keep their order when {@link fill} reads them. */
  dump(): CompleteMockData {
    const lists = [...this.collections].map(([name, rows]) => [name, rows.find().toReversed()]);
    // In the order of creation: the first one has a meaning.
    return { ...Object.fromEntries(lists), pipelines: [...this.pipelines.table.all()] };
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

  /** Returns a phone in E.164, or `undefined` if it is invalid. */
  normalizePhone(phone: string): string | undefined {
    return normalizePhone(phone, this.#defaultCountry);
  }
}
