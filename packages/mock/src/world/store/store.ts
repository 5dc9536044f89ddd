import type { Agent, Conversation, Message } from '@confab/client/contract';
import { unknownNames } from '@confab/internal';
import * as z from 'zod/mini';
import { CollectionError } from '../../errors/mock-error.ts';
import type { Clock } from '../clock/clock.ts';
import type { FaultPlan } from '../faults/fault.ts';
import type { MockFields, RowWatchers } from './collection.ts';
import { Collection } from './collection.ts';
import { normalizePhone, PHONE_WANTED } from './phone.ts';
import type { Random } from './random.ts';
import type { Pipeline, StoredLead } from './rows.ts';
import {
  OPEN_ENUMS,
  PipelineSchema,
  StoredAgentSchema,
  StoredConversationSchema,
  StoredLeadSchema,
  StoredMessageSchema,
} from './rows.ts';
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

interface StoreOptions {
  readonly random: Random;
  readonly clock: Pick<Clock, 'now'>;
  readonly defaultCountry?: string | undefined;
  /** The source of a lead that names none. */
  readonly source: string;
  /** Whether rows may have only those values of enums that the contract lists. */
  readonly strict: boolean;
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

  constructor({ random, clock, defaultCountry, source, strict, watchers }: StoreOptions) {
    this.#defaultCountry = defaultCountry;
    const now = () => new Date(clock.now()).toISOString();
    const ifStrict = <Schema extends z.ZodMiniObject>(schema: Schema, closed: z.core.$ZodShape): Schema =>
      strict ? (z.extend(schema, closed) as unknown as Schema) : schema;
    // Tests of one resource need not make all others.
    const pointingTo = <Names extends object>(references: Names) => ({
      references: strict ? references : undefined,
    });
    const shared = { ids: random, watchers, newestBy: 'createdAt', filters: [] } as const;

    this.pipelines = new Collection<Pipeline>({
      ...shared,
      noun: 'pipeline',
      schema: PipelineSchema,
      defaults: () => ({ name: 'Sales', createdAt: now() }),
      onDelete: ({ id: pipelineId }) => {
        for (const rows of [this.leads, this.conversations] as const) {
          for (const { id } of rows.find({ pipelineId })) {
            rows.update(id, { pipelineId: this.firstPipeline().id });
          }
        }
      },
    });

    this.agents = new Collection<Agent>({
      ...shared,
      noun: 'agent',
      schema: StoredAgentSchema,
      newestBy: 'updatedAt',
      defaults: () => ({
        name: 'Assistant',
        description: null,
        llmProvider: 'mock',
        llmModel: null,
        updatedAt: now(),
      }),
    });

    this.leads = new Collection<StoredLead>({
      ...shared,
      ...pointingTo({ pipelineId: () => this.pipelines }),
      noun: 'lead',
      schema: ifStrict(StoredLeadSchema, OPEN_ENUMS.leads),
      filters: ['status', 'source', 'pipelineId'],
      unique: 'phone',
      defaults: (values) => ({
        pipelineId: values.pipelineId ?? this.firstPipeline().id,
        phone: null,
        displayName: null,
        email: null,
        source,
        status: 'new',
        createdAt: now(),
        notes: null,
      }),
      normalize: (row) => {
        // A phone that a lead has is normalized already.
        if (row.phone === null || this.leads.table.holding(row.phone) !== undefined) {
          return row;
        }
        const phone = this.normalizePhone(row.phone);
        return phone === undefined
          ? `phone ${PHONE_WANTED}, got ${JSON.stringify(row.phone)}`
          : { ...row, phone };
      },
      onDelete: ({ id }) => {
        for (const conversation of this.conversations.find({ leadId: id })) {
          this.conversations.update(conversation.id, { leadId: null });
        }
      },
    });

    this.conversations = new Collection<Conversation>({
      ...shared,
      ...pointingTo({ pipelineId: () => this.pipelines, leadId: () => this.leads }),
      noun: 'conversation',
      schema: ifStrict(StoredConversationSchema, OPEN_ENUMS.conversations),
      filters: ['status', 'pipelineId', 'leadId'],
      defaults: (values) => ({
        pipelineId: values.pipelineId ?? this.firstPipeline().id,
        leadId: null,
        channel: 'live_chat',
        status: 'open',
        priority: 'medium',
        lastMessageAt: null,
        createdAt: now(),
      }),
      onDelete: ({ id }) => {
        for (const message of this.messages.find({ conversationId: id })) {
          this.messages.delete(message.id);
        }
      },
    });

    this.messages = new Collection<Message, MessageInit>({
      ...shared,
      ...pointingTo({ conversationId: () => this.conversations }),
      noun: 'message',
      schema: ifStrict(StoredMessageSchema, OPEN_ENUMS.messages),
      filters: ['conversationId'],
      defaults: (values) => ({
        conversationId: values.conversationId,
        senderType: 'lead',
        direction: values.senderType === undefined || values.senderType === 'lead' ? 'inbound' : 'outbound',
        messageType: 'text',
        content: null,
        createdAt: now(),
      }),
    });

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
