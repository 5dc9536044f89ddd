import * as z from 'zod/mini';
import { invalid, notFound } from '../../errors/refusal.ts';
import type { MockCollection } from '../../mock.ts';
import { readJson } from '../../request/json.ts';
import { slicePage } from '../../world/log/query.ts';
import {
  PipelineSchema,
  StoredAgentSchema,
  StoredConversationSchema,
  StoredLeadSchema,
  StoredMessageSchema,
} from '../../world/store/rows.ts';
import type { MockRow } from '../../world/store/table.ts';
import type { ControlContext, ControlOperation } from '../operation.ts';
import { controlOperation } from '../operation.ts';
import type { CollectionName } from '../routes.ts';
import { COLLECTIONS } from '../routes.ts';
import { DELETED, described, PAGE, paging } from '../schemas.ts';

/** The schema of the rows of each collection, and what messages call one. */
const KINDS = {
  pipelines: { noun: 'pipeline', schema: PipelineSchema },
  leads: { noun: 'lead', schema: StoredLeadSchema },
  conversations: { noun: 'conversation', schema: StoredConversationSchema },
  messages: { noun: 'message', schema: StoredMessageSchema },
  agents: { noun: 'agent', schema: StoredAgentSchema },
} satisfies Record<CollectionName, { noun: string; schema: z.ZodMiniObject }>;

interface FindQuery {
  readonly where?: string;
  readonly search?: string;
  readonly limit?: number;
  readonly offset?: number;
}

const contains = (row: MockRow, search: string): boolean =>
  Object.values(row).some((value) => typeof value === 'string' && value.toLowerCase().includes(search));

/** @throws {@link Refusal} 400, when the text is not a JSON object. */
const whereOf = (text: string): object => {
  const { value } = readJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('query.where must be a JSON object, such as {"leadId":null}');
  }
  return value;
};

const operationsOf = (collection: CollectionName): readonly ControlOperation[] => {
  const { noun, schema } = KINDS[collection];
  const rowsOf = ({ mock }: ControlContext) => mock[collection] as unknown as MockCollection<MockRow>;
  const known = (context: ControlContext, id: string): MockRow => {
    const row = rowsOf(context).get(id);
    if (row === undefined) {
      throw notFound(`No ${noun} has the id ${id}`);
    }
    return row;
  };
  const fields = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, z.optional(z.string())]));
  const optional = z.partial(schema as z.ZodMiniObject).shape;

  const operations = [
    controlOperation('rows.find', {
      summary: `Lists the ${collection} with these values, newest first.`,
      query: z.strictObject({
        ...(fields as Record<string, z.ZodMiniOptional<z.ZodMiniString>>),
        where: described(z.optional(z.string()), 'Values as a JSON object, for null: {"leadId":null}.'),
        search: described(z.optional(z.string()), 'A part of any text field, ignoring case.'),
        ...paging,
      }),
      data: z.array(schema),
      meta: PAGE,
      run(context, { query }) {
        const { where = '{}', search = '', limit, offset, ...equals } = query as FindQuery;
        const rows = rowsOf(context).find({ ...equals, ...whereOf(where) });
        const part = search.toLowerCase();
        return slicePage(part === '' ? rows : rows.filter((row) => contains(row, part)), { limit, offset });
      },
    }),
    controlOperation('rows.create', {
      summary: `Creates a ${noun}. Fields that are left out get a default; no event is emitted.`,
      body: z.strictObject({
        ...optional,
        ...(noun === 'message' ? { conversationId: schema.shape.id } : {}),
      }),
      data: schema,
      status: 201,
      run: (context, { body }) => rowsOf(context).create(body as Partial<MockRow>),
    }),
    controlOperation('rows.get', {
      summary: `Returns a ${noun}.`,
      data: schema,
      run: (context, { params }) => known(context, params.id),
    }),
    controlOperation('rows.update', {
      summary: `Changes some fields of a ${noun}; no event is emitted.`,
      body: z.omit(z.strictObject(optional), { id: true }),
      data: schema,
      run: (context, { params, body }) => rowsOf(context).update(known(context, params.id).id, body),
    }),
    controlOperation('rows.delete', {
      summary: `Deletes a ${noun}.`,
      data: DELETED,
      run(context, { params }) {
        rowsOf(context).delete(known(context, params.id).id);
        return { deleted: true };
      },
    }),
  ];
  return operations.map((operation) => ({
    ...operation,
    id: operation.id.replace('rows', collection),
    path: operation.path.replace('{collection}', collection),
  }));
};

/** The rows of every collection. */
export const rows: readonly ControlOperation[] = COLLECTIONS.flatMap(operationsOf);
