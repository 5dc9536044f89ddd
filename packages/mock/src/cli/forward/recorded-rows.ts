import type { OperationId } from '@confab/client/contract';
import {
  AgentSchema,
  ConversationSchema,
  IdSchema,
  LeadSchema,
  MessageSchema,
} from '@confab/client/contract';
import * as z from 'zod/mini';
import { normalizePhone } from '../../world/store/phone.ts';
import {
  StoredAgentSchema,
  StoredConversationSchema,
  StoredLeadSchema,
  StoredMessageSchema,
} from '../../world/store/rows.ts';
import type { CompleteMockData } from '../../world/store/store.ts';
import { compareValues, fieldOf } from '../../world/store/table.ts';
import type { Cleaner } from './stand-ins.ts';

/** Rows of one kind: as responses hold them, and as a mock loads them, which has a single form of ids and dates. */
const KINDS = {
  agents: { schema: AgentSchema, stored: StoredAgentSchema },
  leads: { schema: LeadSchema, stored: z.omit(StoredLeadSchema, { notes: true }) },
  conversations: { schema: ConversationSchema, stored: StoredConversationSchema },
  messages: { schema: MessageSchema, stored: StoredMessageSchema },
} as const;

type Kind = keyof typeof KINDS;

type StoredRow<Name extends Kind> = z.output<(typeof KINDS)[Name]['stored']>;

/** The kind of the rows in the responses of each operation. */
const KIND_OF: Readonly<Partial<Record<OperationId, Kind>>> = {
  'agents.list': 'agents',
  'leads.list': 'leads',
  'leads.create': 'leads',
  'leads.get': 'leads',
  'leads.update': 'leads',
  'conversations.list': 'conversations',
  'conversations.get': 'conversations',
  'conversations.sendMessage': 'messages',
};

/** Operations that create a row. The mock creates it again when the program runs again. */
const CREATES: readonly OperationId[] = ['leads.create', 'conversations.sendMessage'];

const WithId = z.object({ id: IdSchema });

const WithMessages = z.object({ messages: z.array(z.unknown()) });

/** Clears the phones that a mock does not load: those that are no phones, and those of an earlier lead. */
const withLoadablePhones = (leads: readonly StoredRow<'leads'>[]): StoredRow<'leads'>[] => {
  const taken = new Set<string>();
  return leads.map((lead) => {
    const phone = normalizePhone(lead.phone ?? '');
    const isFree = phone !== undefined && !taken.has(phone);
    taken.add(phone ?? '');
    return { ...lead, phone: isFree ? phone : null };
  });
};

/** A row that a response held. */
interface SeenRow {
  /** As it first was: that is what the program started with. None if no mock could load it. */
  readonly row?: { readonly id: string; readonly pipelineId?: string } | undefined;
  /** Whether the program itself created it, so that the mock will create it, too. */
  readonly isNew: boolean;
}

/** The rows that a recording starts with. */
export class RecordedRows {
  /** The size of the rows, in characters of JSON. */
  characters = 0;
  /** By id. */
  readonly #rows: Readonly<Record<Kind, Map<string, SeenRow>>> = {
    agents: new Map(),
    leads: new Map(),
    conversations: new Map(),
    messages: new Map(),
  };
  #firstPipeline: string | undefined;

  /** How many rows of each kind were left out, because they differ from the contract. */
  get leftOut(): Readonly<Record<string, number>> {
    const countOf = (rows: ReadonlyMap<string, SeenRow>) =>
      [...rows.values()].filter(({ row }) => row === undefined).length;
    return Object.fromEntries(Object.entries(this.#rows).map(([kind, rows]) => [kind, countOf(rows)]));
  }

  /**
   * Adds the rows in the data of a response.
   *
   * @param isRepeated Whether the mock will perform the operation again, so that it creates the row that this one did.
   */
  add(operation: OperationId, data: unknown, isRepeated: boolean): void {
    const kind = KIND_OF[operation];
    if (kind === undefined) {
      return;
    }
    const isNew = isRepeated && CREATES.includes(operation);
    for (const value of Array.isArray(data) ? data : [data]) {
      this.#addRow(kind, value, isNew);
      for (const message of WithMessages.safeParse(value).data?.messages ?? []) {
        this.#addRow('messages', message, false);
      }
    }
  }

  /** Notes the pipeline of a lead that was created without naming one: it is the first of the account. */
  noteFirstPipeline(lead: unknown): void {
    this.#firstPipeline ??= LeadSchema.safeParse(lead).data?.pipelineId.toLowerCase();
  }

  /**
   * The rows as a mock loads them, oldest first. Lists had the newest first, and the messages of a conversation the
   * oldest.
   */
  loadable(cleaner: Cleaner): CompleteMockData {
    const rowsOf = <Name extends Kind>(kind: Name): StoredRow<Name>[] =>
      [...this.#rows[kind].values()].flatMap(({ row, isNew }) => {
        const { schema, stored } = KINDS[kind];
        const { data } = stored.safeParse(isNew ? undefined : cleaner.value(row, schema));
        return data === undefined ? [] : [data as StoredRow<Name>];
      });
    const oldestFirst = <Row extends object>(
      rows: Row[],
      by: 'createdAt' | 'updatedAt' = 'createdAt',
    ): Row[] => rows.toSorted((a, b) => compareValues(fieldOf(a, by), fieldOf(b, by)));
    const rows = Object.values(this.#rows).flatMap((each) => [...each.values()]);
    const pipelines = [this.#firstPipeline, ...rows.map(({ row }) => row?.pipelineId?.toLowerCase())];
    return {
      pipelines: [...new Set(pipelines)]
        .filter((id) => id !== undefined)
        .filter((id) => cleaner.value(id, IdSchema) === id)
        .map((id, at) => ({ id, name: `Pipeline ${at + 1}` })),
      agents: oldestFirst(rowsOf('agents').toReversed(), 'updatedAt'),
      leads: oldestFirst(withLoadablePhones(rowsOf('leads')).toReversed()),
      conversations: oldestFirst(rowsOf('conversations').toReversed()),
      messages: oldestFirst(rowsOf('messages')),
    };
  }

  #addRow(kind: Kind, value: unknown, isNew: boolean): void {
    const { schema, stored } = KINDS[kind];
    const rows = this.#rows[kind];
    // A row without an id counts as a new row each time.
    const id = WithId.safeParse(value).data?.id.toLowerCase() ?? `row ${rows.size}`;
    if (rows.get(id)?.row !== undefined) {
      return;
    }
    const { data } = schema.safeParse(value);
    const row = stored.safeParse(data).success ? data : undefined;
    rows.set(id, { row, isNew });
    this.characters += JSON.stringify(row ?? id).length;
  }
}
