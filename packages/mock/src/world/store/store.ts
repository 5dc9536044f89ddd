import type { Agent, Conversation, Message } from '@confab/client/contract';
import { namesOf, unknownNames } from '@confab/internal';
import { CollectionError } from '../../errors/mock-error.ts';
import type { Clock } from '../clock/clock.ts';
import type { MockFields, RowWatchers } from './collection.ts';
import { Collection } from './collection.ts';
import type { CountryCode } from './country-code.ts';
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
import type { Table } from './table.ts';

/** The fields of a new message: it needs a conversation, and everything else has a default. */
export type MessageInit = MockFields<Message> & Pick<Message, 'conversationId'>;

/** Rows for a mock to start with. Fields that a row leaves out get a default. */
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
}

/** Every list of {@link MockData}, as {@link Mock.dump} returns them. */
export type CompleteMockData = { readonly [Name in keyof MockData]-?: NonNullable<MockData[Name]> };

/** All rows of a world, as a snapshot saves them. */
export interface StoreState {
  readonly pipelines: Table<Pipeline>;
  readonly agents: Table<Agent>;
  readonly leads: Table<StoredLead>;
  readonly conversations: Table<Conversation>;
  readonly messages: Table<Message>;
}

interface StoreOptions {
  readonly random: Random;
  readonly clock: Pick<Clock, 'now'>;
  readonly defaultCountry?: CountryCode | undefined;
  /**
   * The source of a lead that names none.
   * @default 'api'
   */
  readonly source?: string | undefined;
  /** Whether rows may have only those values of enums that the contract lists. */
  readonly strict?: boolean | undefined;
  /** Notified of each row that is created, changed or deleted. */
  readonly watchers: RowWatchers;
}

/** The names of all lists of {@link MockData}. */
export const LISTS = namesOf<MockData>({
  pipelines: true,
  agents: true,
  leads: true,
  conversations: true,
  messages: true,
});

/** The resources of one account. */
export class Store {
  readonly pipelines: Collection<Pipeline>;
  readonly agents: Collection<Agent>;
  readonly leads: Collection<StoredLead>;
  readonly conversations: Collection<Conversation>;
  readonly messages: Collection<Message, MessageInit>;
  readonly #defaultCountry: CountryCode | undefined;

  constructor({ random, clock, defaultCountry, source = 'api', strict = false, watchers }: StoreOptions) {
    this.#defaultCountry = defaultCountry;
    const closed = strict ? OPEN_ENUMS : {};
    const now = () => new Date(clock.now()).toISOString();

    this.pipelines = new Collection<Pipeline>({
      noun: 'pipeline',
      name: 'pipelines',
      watchers,
      schema: PipelineSchema,
      newestBy: 'createdAt',
      filters: [],
      ids: random,
      defaults: () => ({ name: 'Sales', createdAt: now() }),
    });

    this.agents = new Collection<Agent>({
      noun: 'agent',
      name: 'agents',
      watchers,
      schema: StoredAgentSchema,
      newestBy: 'updatedAt',
      filters: [],
      ids: random,
      defaults: () => ({
        name: 'Assistant',
        description: null,
        llmProvider: 'mock',
        llmModel: null,
        updatedAt: now(),
      }),
    });

    this.leads = new Collection<StoredLead>({
      noun: 'lead',
      name: 'leads',
      watchers,
      schema: StoredLeadSchema,
      closed: closed.leads,
      newestBy: 'createdAt',
      filters: ['status', 'source', 'pipelineId'],
      unique: 'phone',
      ids: random,
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
      normalize: (row, refusal) => {
        // A phone that a lead has is normalized already.
        if (row.phone === null || this.leads.holding(row.phone) !== undefined) {
          return row;
        }
        const phone = this.normalizePhone(row.phone);
        if (phone === undefined) {
          throw refusal(`phone ${PHONE_WANTED}, got ${JSON.stringify(row.phone)}`);
        }
        return { ...row, phone };
      },
      onDelete: ({ id }) => {
        for (const conversation of this.conversations.find({ leadId: id })) {
          this.conversations.update(conversation.id, { leadId: null });
        }
      },
    });

    this.conversations = new Collection<Conversation>({
      noun: 'conversation',
      name: 'conversations',
      watchers,
      schema: StoredConversationSchema,
      closed: closed.conversations,
      newestBy: 'createdAt',
      filters: ['status', 'pipelineId', 'leadId'],
      ids: random,
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
      noun: 'message',
      name: 'messages',
      watchers,
      schema: StoredMessageSchema,
      closed: closed.messages,
      newestBy: 'createdAt',
      filters: ['conversationId'],
      ids: random,
      defaults: (values) => ({
        conversationId: values.conversationId,
        senderType: 'lead',
        direction: values.senderType === undefined || values.senderType === 'lead' ? 'inbound' : 'outbound',
        messageType: 'text',
        content: null,
        createdAt: now(),
      }),
    });
  }

  /** The pipeline of leads that name none: the first one, which is created if there is none. */
  firstPipeline(): Readonly<Pipeline> {
    return this.pipelines.all().next().value ?? this.pipelines.create({});
  }

  /** @throws {@link CollectionError} When a list is unknown, or a row invalid. */
  load(data: MockData): void {
    const problem = unknownNames('list of data', data, LISTS);
    if (problem !== undefined) {
      throw new CollectionError(problem);
    }
    // In this order, because leads need a pipeline.
    this.pipelines.load(data.pipelines ?? [], 'data.pipelines');
    this.agents.load(data.agents ?? [], 'data.agents');
    this.leads.load(data.leads ?? [], 'data.leads');
    this.conversations.load(data.conversations ?? [], 'data.conversations');
    this.messages.load(data.messages ?? [], 'data.messages');
  }

  /** Returns every row, oldest first: rows of the same moment keep their order when {@link load} reads them. */
  dump(): CompleteMockData {
    return {
      // In the order of creation, not of lists: the first one has a meaning.
      pipelines: [...this.pipelines.all()],
      agents: this.agents.find().toReversed(),
      leads: this.leads.find().toReversed(),
      conversations: this.conversations.find().toReversed(),
      messages: this.messages.find().toReversed(),
    };
  }

  /** The memory that all rows take, in bytes, estimated. */
  get bytes(): number {
    const { pipelines, agents, leads, conversations, messages } = this;
    return [pipelines, agents, leads, conversations, messages].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get state(): StoreState {
    return {
      pipelines: this.pipelines.snapshot,
      agents: this.agents.snapshot,
      leads: this.leads.snapshot,
      conversations: this.conversations.snapshot,
      messages: this.messages.snapshot,
    };
  }

  set state(state: StoreState) {
    this.pipelines.snapshot = state.pipelines;
    this.agents.snapshot = state.agents;
    this.leads.snapshot = state.leads;
    this.conversations.snapshot = state.conversations;
    this.messages.snapshot = state.messages;
  }

  /** Returns a phone in E.164, or `undefined` if it is invalid. */
  normalizePhone(phone: string): string | undefined {
    return normalizePhone(phone, this.#defaultCountry);
  }
}
