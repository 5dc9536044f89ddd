import type { Operation } from '@confab/client/contract';
import * as z from 'zod/mini';
import { normalizePhone } from '../../world/store/phone.ts';
import {
  StoredAgentSchema,
  StoredConversationSchema,
  StoredLeadSchema,
  StoredMessageSchema,
} from '../../world/store/rows.ts';
import type { CompleteMockData } from '../../world/store/store.ts';
import type { Cleaner } from './stand-ins.ts';

/** The rows of each kind as a mock loads them, with one form of ids and dates, and without further fields. */
const SCHEMAS = {
  agents: z.object(StoredAgentSchema.shape),
  leads: z.omit(z.object(StoredLeadSchema.shape), { notes: true }),
  conversations: z.object(StoredConversationSchema.shape),
  messages: z.object(StoredMessageSchema.shape),
};

type Kind = keyof typeof SCHEMAS;

/** The kind of the rows that an operation responds with: the last name in its path. Other operations return no rows. */
export const kindOf = ({ path }: Operation): Kind | undefined => {
  const name =
    path
      .replace(/\/\{\w+\}$/, '')
      .split('/')
      .at(-1) ?? '';
  return Object.hasOwn(SCHEMAS, name) ? (name as Kind) : undefined;
};

const WithMessages = z.object({ messages: z.array(z.unknown()) });

/** Clears the phones that a mock does not load: those that are no phones, and those of an earlier lead. */
const withLoadablePhones = (leads: CompleteMockData['leads']): CompleteMockData['leads'] => {
  const taken = new Set<string | undefined>();
  return leads.map((lead) => {
    const phone = normalizePhone(lead.phone ?? '');
    const isFree = phone !== undefined && !taken.has(phone);
    taken.add(phone);
    return { ...lead, phone: isFree ? phone : null };
  });
};

/** A row that a response held. */
interface SeenRow {
  readonly kind: Kind;
  /** As it first was: that is what the program started with. None if no mock could load it. */
  readonly row: object | undefined;
  /** Whether the program itself created it, so that the mock will create it, too. */
  readonly isNew: boolean;
}

/** The rows that a recording starts with. */
export class RecordedRows {
  /** The size of the rows, in characters of JSON. */
  characters = 0;
  /** By kind and id. */
  readonly #rows = new Map<string, SeenRow>();

  /** The rows of each kind that were left out, because they differ from the contract. */
  get leftOut(): Readonly<Partial<Record<Kind, readonly unknown[]>>> {
    const leftOut = [...this.#rows.values()].filter(({ row }) => row === undefined);
    return Object.groupBy(leftOut, ({ kind }) => kind);
  }

  /**
   * Adds the rows in the data of a response.
   *
   * @param isRepeated Whether the mock will perform the operation again, so that it creates the row that this one did.
   */
  add(operation: Operation, data: unknown, isRepeated: boolean): void {
    const kind = kindOf(operation);
    if (kind === undefined) {
      return;
    }
    const isNew = isRepeated && operation.status === 201;
    for (const value of [data ?? []].flat()) {
      this.#addRow(kind, value, isNew);
      for (const message of WithMessages.safeParse(value).data?.messages ?? []) {
        this.#addRow('messages', message, false);
      }
    }
  }

  /** The rows as a mock loads them. Lists had the newest first, and the messages of a conversation the oldest. */
  loadable(clean: Cleaner): CompleteMockData {
    const seen = [...this.#rows.values()]
      .map((each) => ({ ...each, row: clean(each.row, SCHEMAS[each.kind]) }))
      // Without rows whose ids hold a key, too.
      .filter(({ kind, row }) => SCHEMAS[kind].safeParse(row).success);
    const rowsOf = <Name extends Kind>(name: Name): CompleteMockData[Name] =>
      seen
        .filter(({ kind, isNew }) => kind === name && !isNew)
        .map(({ row }) => row) as CompleteMockData[Name];
    // A lead that names no pipeline gets the first one, so the pipelines of leads that the program created come first.
    const newFirst = seen.toSorted((a, b) => Number(b.isNew) - Number(a.isNew));
    const pipelines = newFirst.flatMap(({ row }) => (row as { pipelineId?: string }).pipelineId ?? []);
    return {
      pipelines: [...new Set(pipelines)].map((id, at) => ({ id, name: `Pipeline ${at + 1}` })),
      leads: withLoadablePhones(rowsOf('leads')).toReversed(),
      conversations: rowsOf('conversations').toReversed(),
      messages: rowsOf('messages'),
      agents: rowsOf('agents').toReversed(),
    };
  }

  #addRow(kind: Kind, value: unknown, isNew: boolean): void {
    // A row without an id counts as a new row each time.
    const id: unknown = Reflect.get(Object(value), 'id') ?? this.#rows.size;
    const key = JSON.stringify([kind, id]).toLowerCase();
    if (this.#rows.get(key)?.row !== undefined) {
      return;
    }
    const row = SCHEMAS[kind].safeParse(value).data;
    this.#rows.set(key, { kind, row, isNew });
    this.characters += JSON.stringify(row ?? key).length;
  }
}
