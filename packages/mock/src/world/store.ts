import type { Agent, Conversation, Message } from '@confab/client/contract';
import type { Clock } from './clock.ts';
import { Collection, CollectionError, type Fields } from './collection.ts';
import { type CountryCode, normalisePhone } from './phone.ts';
import type { Random } from './random.ts';
import {
  AgentSchema,
  ConversationSchema,
  MessageSchema,
  type Pipeline,
  PipelineSchema,
  type StoredLead,
  StoredLeadSchema,
} from './rows.ts';
import type { Table } from './table.ts';

/** A message needs a conversation; all else is filled in. */
export type MessageInit = Fields<Message> & Pick<Message, 'conversationId'>;

/** Rows to start with; what a row leaves out is filled in. */
export interface Data {
  readonly pipelines?: readonly Fields<Pipeline>[];
  readonly agents?: readonly Fields<Agent>[];
  readonly leads?: readonly Fields<StoredLead>[];
  readonly conversations?: readonly Fields<Conversation>[];
  readonly messages?: readonly MessageInit[];
}

/** All rows of a world at one moment. */
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
}

/** One form for every date-time, so that they sort as strings. */
const utc = (dateTime: string): string => new Date(dateTime).toISOString();

const lower = (id: string): string => id.toLowerCase();

/** The resources of one account. */
export class Store {
  readonly pipelines: Collection<Pipeline>;
  readonly agents: Collection<Agent>;
  readonly leads: Collection<StoredLead>;
  readonly conversations: Collection<Conversation>;
  readonly messages: Collection<Message, MessageInit>;
  readonly #defaultCountry: CountryCode | undefined;
  #latestNormal: string | undefined;

  constructor({ random, clock, defaultCountry }: StoreOptions) {
    this.#defaultCountry = defaultCountry;
    const newId = () => random.id();
    const now = () => new Date(clock.now()).toISOString();

    this.pipelines = new Collection<Pipeline>({
      noun: 'pipeline',
      schema: PipelineSchema,
      newestBy: 'createdAt',
      filters: [],
      newId,
      defaults: () => ({ name: 'Sales', createdAt: now() }),
      normalise: (row) => ({ ...row, id: lower(row.id), createdAt: utc(row.createdAt) }),
    });

    this.agents = new Collection<Agent>({
      noun: 'agent',
      schema: AgentSchema,
      newestBy: 'updatedAt',
      filters: [],
      newId,
      defaults: () => ({
        name: 'Assistant',
        description: null,
        llmProvider: 'mock',
        llmModel: null,
        updatedAt: now(),
      }),
      normalise: (row) => ({ ...row, id: lower(row.id), updatedAt: utc(row.updatedAt) }),
    });

    this.leads = new Collection<StoredLead>({
      noun: 'lead',
      schema: StoredLeadSchema,
      newestBy: 'createdAt',
      filters: ['status', 'source', 'pipelineId'],
      unique: 'phone',
      newId,
      defaults: (values) => ({
        pipelineId: values.pipelineId ?? this.firstPipeline().id,
        phone: null,
        displayName: null,
        email: null,
        source: 'api',
        status: 'new',
        createdAt: now(),
        notes: null,
      }),
      normalise: (row) => ({
        ...row,
        id: lower(row.id),
        pipelineId: lower(row.pipelineId),
        createdAt: utc(row.createdAt),
        phone: row.phone === null ? null : this.#e164(row.phone),
      }),
      onDelete: ({ id }) => {
        for (const conversation of this.conversations.find({ leadId: id }))
          this.conversations.update(conversation.id, { leadId: null });
      },
    });

    this.conversations = new Collection<Conversation>({
      noun: 'conversation',
      schema: ConversationSchema,
      newestBy: 'createdAt',
      filters: ['status', 'pipelineId', 'leadId'],
      newId,
      defaults: (values) => ({
        pipelineId: values.pipelineId ?? this.firstPipeline().id,
        leadId: null,
        channel: 'live_chat',
        status: 'open',
        priority: 'medium',
        lastMessageAt: null,
        createdAt: now(),
      }),
      normalise: (row) => ({
        ...row,
        id: lower(row.id),
        pipelineId: lower(row.pipelineId),
        leadId: row.leadId === null ? null : lower(row.leadId),
        lastMessageAt: row.lastMessageAt === null ? null : utc(row.lastMessageAt),
        createdAt: utc(row.createdAt),
      }),
      onDelete: ({ id }) => {
        for (const message of this.messages.find({ conversationId: id })) this.messages.delete(message.id);
      },
    });

    this.messages = new Collection<Message, MessageInit>({
      noun: 'message',
      schema: MessageSchema,
      newestBy: 'createdAt',
      filters: ['conversationId'],
      newId,
      defaults: (values) => ({
        conversationId: values.conversationId,
        senderType: 'lead',
        direction: values.senderType === undefined || values.senderType === 'lead' ? 'inbound' : 'outbound',
        messageType: 'text',
        content: null,
        createdAt: now(),
      }),
      normalise: (row) => ({
        ...row,
        id: lower(row.id),
        conversationId: lower(row.conversationId),
        createdAt: utc(row.createdAt),
      }),
    });
  }

  /** Where a lead goes that names no pipeline; made if there is none. */
  firstPipeline(): Readonly<Pipeline> {
    return this.pipelines.find().at(-1) ?? this.pipelines.create({});
  }

  load(data: Data): void {
    this.pipelines.load(data.pipelines ?? []);
    this.agents.load(data.agents ?? []);
    this.leads.load(data.leads ?? []);
    this.conversations.load(data.conversations ?? []);
    this.messages.load(data.messages ?? []);
  }

  /** Every row, in the form that {@link load} takes. */
  dump(): Required<Data> {
    return {
      pipelines: this.pipelines.find(),
      agents: this.agents.find(),
      leads: this.leads.find(),
      conversations: this.conversations.find(),
      messages: this.messages.find(),
    };
  }

  get state(): StoreState {
    return {
      pipelines: this.pipelines.table,
      agents: this.agents.table,
      leads: this.leads.table,
      conversations: this.conversations.table,
      messages: this.messages.table,
    };
  }

  set state(state: StoreState) {
    this.pipelines.table = state.pipelines;
    this.agents.table = state.agents;
    this.leads.table = state.leads;
    this.conversations.table = state.conversations;
    this.messages.table = state.messages;
  }

  /** A phone in the form in which the account keeps it, or `undefined` if it has none. */
  normalisePhone(phone: string): string | undefined {
    // A lead is checked for its phone, and then stored with it: the second time there is nothing to do.
    if (phone !== this.#latestNormal) this.#latestNormal = normalisePhone(phone, this.#defaultCountry);
    return this.#latestNormal;
  }

  #e164(phone: string): string {
    const normal = this.normalisePhone(phone);
    if (normal === undefined)
      throw new CollectionError(
        `This lead can't be stored: phone must be in E.164 (+5511987654321) or normalisable to it, not ${JSON.stringify(phone)}`,
      );
    return normal;
  }
}
