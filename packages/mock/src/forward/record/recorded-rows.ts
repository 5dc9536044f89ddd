import type { OperationId } from '@confab/client/contract';
import {
  AgentSchema,
  ConversationSchema,
  IdSchema,
  LeadSchema,
  MessageSchema,
} from '@confab/client/contract';
import * as z from 'zod/mini';

/** The rows of each collection as they first were, by id. */
export type Collected = Readonly<Record<keyof typeof SCHEMAS, ReadonlyMap<string, object>>>;

/** The schemas of the rows that responses hold. */
export const SCHEMAS = {
  agents: AgentSchema,
  leads: LeadSchema,
  conversations: ConversationSchema,
  messages: MessageSchema,
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
  #firstPipeline: string | undefined;
  #characters = 0;

  /** How much they are, in characters of JSON. */
  get characters(): number {
    return this.#characters;
  }

  get collected(): Collected {
    return this.#rows;
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
    if (!result.success) {
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
}
