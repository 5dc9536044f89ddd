import type { OperationId } from '@confab/client/contract';
import {
  AgentSchema,
  ConversationSchema,
  IdSchema,
  LeadSchema,
  MessageSchema,
} from '@confab/client/contract';
import * as z from 'zod/mini';
import {
  StoredAgentSchema,
  StoredConversationSchema,
  StoredLeadSchema,
  StoredMessageSchema,
} from '../../../world/store/rows.ts';

/** The rows of each collection as they first were, by id. */
export type Collected = Readonly<Record<keyof typeof SCHEMAS, ReadonlyMap<string, object>>>;

/** The schemas of the rows that responses hold. */
export const SCHEMAS = {
  agents: AgentSchema,
  leads: LeadSchema,
  conversations: ConversationSchema,
  messages: MessageSchema,
} as const;

/** The schemas that rows must match to be loaded. A recorded row differs where the mock has a single form of a value. */
export const STORED = {
  agents: StoredAgentSchema,
  leads: z.omit(StoredLeadSchema, { notes: true }),
  conversations: StoredConversationSchema,
  messages: StoredMessageSchema,
} as const;

const BY_RESOURCE: Readonly<Record<string, keyof typeof SCHEMAS>> = {
  agents: 'agents',
  leads: 'leads',
  conversations: 'conversations',
};

/** Operations that create a row. The mock creates it again when the program runs again. */
const CREATES: Readonly<Partial<Record<OperationId, keyof typeof SCHEMAS>>> = {
  'leads.create': 'leads',
  'conversations.sendMessage': 'messages',
};

/** Operations whose data holds no rows. */
const NONE: readonly OperationId[] = ['agents.invoke', 'analytics.funnel'];

const WithMessages = z.object({ messages: z.array(z.unknown()) });

/** The collection of the rows in the responses of an operation. */
const collectionOf = (operation: OperationId): keyof typeof SCHEMAS | undefined =>
  NONE.includes(operation)
    ? undefined
    : (CREATES[operation] ?? BY_RESOURCE[operation.split('.', 1)[0] ?? '']);

/** The rows that a recording starts with. */
export class RecordedRows {
  readonly #rows = {
    agents: new Map<string, object>(),
    leads: new Map<string, object>(),
    conversations: new Map<string, object>(),
    messages: new Map<string, object>(),
  };
  /** Rows that the program itself created. */
  readonly #created = new Set<string>();
  readonly #pipelines = new Set<string>();
  readonly #leftOut = {
    agents: new Set<string>(),
    leads: new Set<string>(),
    conversations: new Set<string>(),
    messages: new Set<string>(),
  };
  #firstPipeline: string | undefined;
  #characters = 0;

  /** How much they are, in characters of JSON. */
  get characters(): number {
    return this.#characters;
  }

  get collected(): Collected {
    return this.#rows;
  }

  /** How many rows of each collection differ from the contract, so that no mock could load them. */
  get leftOut(): Readonly<Record<keyof typeof SCHEMAS, number>> {
    const { agents, leads, conversations, messages } = this.#leftOut;
    return {
      agents: agents.size,
      leads: leads.size,
      conversations: conversations.size,
      messages: messages.size,
    };
  }

  /** The ids of all pipelines, that of leads which name none first. */
  get pipelines(): readonly string[] {
    const first = this.#firstPipeline;
    return first === undefined ? [...this.#pipelines] : [...new Set([first, ...this.#pipelines])];
  }

  /**
   * Adds the rows in the data of a response.
   *
   * @param isRepeated Whether the mock will perform the operation again, so that it creates the row that this one did.
   */
  add(operation: OperationId, data: unknown, isRepeated: boolean): void {
    const collection = collectionOf(operation);
    if (collection === undefined) {
      return;
    }
    const isNew = isRepeated && CREATES[operation] !== undefined;
    for (const value of Array.isArray(data) ? data : [data]) {
      this.#addRow(collection, value, isNew);
      const messages = WithMessages.safeParse(value);
      for (const message of messages.success ? messages.data.messages : []) {
        this.#addRow('messages', message, false);
      }
    }
  }

  /** Notes the pipeline of a lead that was created without naming one: it is the first of the account. */
  noteFirstPipeline(data: unknown): void {
    const lead = LeadSchema.safeParse(data);
    if (lead.success) {
      this.#firstPipeline ??= lead.data.pipelineId.toLowerCase();
    }
  }

  #addRow(collection: keyof typeof SCHEMAS, value: unknown, isNew: boolean): void {
    const result = SCHEMAS[collection].safeParse(value);
    if (!result.success || !STORED[collection].safeParse(result.data).success) {
      this.#leaveOut(collection, value);
      return;
    }
    const row: object = result.data;
    const pipeline: unknown = Reflect.get(row, 'pipelineId');
    if (IdSchema.safeParse(pipeline).success) {
      this.#pipelines.add(String(pipeline).toLowerCase());
    }
    const id = result.data.id.toLowerCase();
    if (isNew) {
      this.#created.add(id);
    }
    // The first form of a row is the one that the program started with.
    if (!this.#created.has(id) && !this.#rows[collection].has(id)) {
      this.#rows[collection].set(id, row);
      this.#characters += JSON.stringify(row).length;
    }
  }

  /** Counts a row once if it has an id, and otherwise each time. */
  #leaveOut(collection: keyof typeof SCHEMAS, value: unknown): void {
    const rows = this.#leftOut[collection];
    const id: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'id') : undefined;
    const name = IdSchema.safeParse(id).success ? String(id).toLowerCase() : `row ${rows.size}`;
    if (!rows.has(name)) {
      rows.add(name);
      this.#characters += name.length;
    }
  }
}
