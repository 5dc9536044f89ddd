import type { Operation } from '@confab/client/contract';
import * as z from 'zod/mini';
import type { ResourceName } from '../../world/resources/names.ts';
import { RESOURCE_NAMES } from '../../world/resources/names.ts';
import type { AnyResource } from '../../world/resources/resource.ts';
import { RESOURCES } from '../../world/resources/resources.ts';
import { normalizePhone } from '../../world/store/phone.ts';
import type { CompleteMockData } from '../../world/store/store.ts';
import type { Cleaner } from './stand-ins.ts';

/** The schema of a row that a mock can load. It normalizes ids and dates, and drops fields outside the contract. */
const recordedSchema = ({ schema, hidden = [] }: AnyResource) =>
  z.omit(z.object(schema.shape), Object.fromEntries(hidden.map((field) => [field, true])));

const SCHEMAS = Object.fromEntries(
  RESOURCE_NAMES.map((name) => [name, recordedSchema(RESOURCES[name])]),
) as Readonly<Record<ResourceName, ReturnType<typeof recordedSchema>>>;

/** The kind of the rows that an operation responds with: the last name in its path. Other operations return no rows. */
export const kindOf = ({ path }: Operation): ResourceName | undefined => {
  const name =
    path
      .replace(/\/\{\w+\}$/, '')
      .split('/')
      .at(-1) ?? '';
  return Object.hasOwn(SCHEMAS, name) ? (name as ResourceName) : undefined;
};

const WithMessages = z.object({ messages: z.array(z.unknown()) });

/** Clears the phone numbers that a mock refuses: invalid ones, and those of an earlier lead. */
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
  readonly kind: ResourceName;
  /** The row as the program first saw it; `undefined` if no mock could load it. */
  readonly row: object | undefined;
  /** Whether the program itself created it, so that the mock will create it, too. */
  readonly isNew: boolean;
}

/** The rows that a recording starts with. */
export class RecordedRows {
  /** The size of the rows, in characters of JSON. */
  characters = 0;
  readonly #rows = new Map<string, SeenRow>();

  /** The rows of each kind that were left out, because they differ from the contract. */
  get leftOut(): Readonly<Partial<Record<ResourceName, readonly unknown[]>>> {
    const leftOut = [...this.#rows.values()].filter(({ row }) => row === undefined);
    return Object.groupBy(leftOut, ({ kind }) => kind);
  }

  /**
   * Adds the rows in the data of a response.
   *
   * @param isReplayed Whether the mock will perform the operation again, and then creates the same row.
   */
  add(operation: Operation, data: unknown, isReplayed: boolean): void {
    const kind = kindOf(operation);
    if (kind === undefined) {
      return;
    }
    const isNew = isReplayed && operation.status === 201;
    for (const value of [data ?? []].flat()) {
      this.#addRow(kind, value, isNew);
      for (const message of WithMessages.safeParse(value).data?.messages ?? []) {
        this.#addRow('messages', message, false);
      }
    }
  }

  /** Returns the rows in the order of a mock. Lists had the newest first, and the messages of a conversation the oldest. */
  loadable(clean: Cleaner): CompleteMockData {
    const seen = [...this.#rows.values()]
      .map((each) => ({ ...each, row: clean(each.row, SCHEMAS[each.kind]) }))
      // Also drops rows whose ids contained a key.
      .filter(({ kind, row }) => SCHEMAS[kind].safeParse(row).success);
    const rowsOf = (name: ResourceName) =>
      seen.flatMap(({ kind, isNew, row }) => (kind === name && !isNew ? [row] : []));
    const lists = Object.fromEntries(RESOURCE_NAMES.map((name) => [name, rowsOf(name).toReversed()]));
    // A lead that names no pipeline gets the first one, so the pipelines of leads that the program created come first.
    const newFirst = seen.toSorted((a, b) => Number(b.isNew) - Number(a.isNew));
    const pipelines = newFirst.flatMap(({ row }) => (row as { pipelineId?: string }).pipelineId ?? []);
    return {
      ...lists,
      pipelines: [...new Set(pipelines)].map((id, index) => ({ id, name: `Pipeline ${index + 1}` })),
      leads: withLoadablePhones(rowsOf('leads') as CompleteMockData['leads']).toReversed(),
      messages: rowsOf('messages'),
    } as unknown as CompleteMockData;
  }

  #addRow(kind: ResourceName, value: unknown, isNew: boolean): void {
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
