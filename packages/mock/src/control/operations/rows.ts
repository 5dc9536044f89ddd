import * as z from 'zod/mini';
import { invalid } from '../../errors/refusal.ts';
import type { MockCollection } from '../../mock.ts';
import { readJson } from '../../request/json.ts';
import { slicePage } from '../../world/log/query.ts';
import type { MockRow } from '../../world/store/table.ts';
import type { ControlContext, ControlOperation } from '../operation.ts';
import { controlOperation } from '../operation.ts';
import type { CollectionName } from '../routes.ts';
import { COLLECTIONS } from '../routes.ts';
import { DELETED, deleted, described, existing, PAGE, paging, ROWS } from '../schemas.ts';

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
  const noun = collection.slice(0, -1);
  const schema: z.ZodMiniObject = ROWS[collection];
  const rowsOf = ({ mock }: ControlContext) => mock[collection] as unknown as MockCollection<MockRow>;
  const unknown = (id: string): string => `No ${noun} has the id ${id}`;
  const known = (context: ControlContext, id: string) => existing(rowsOf(context).get(id), unknown(id));
  const fields = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, z.optional(z.string())]));
  const optional = z.partial(schema).shape;

  const operations = [
    controlOperation('rows.find', {
      summary: `Lists the ${collection} with these values, newest first.`,
      query: z.strictObject({
        ...(fields as object),
        where: described(z.optional(z.string()), 'Values as a JSON object, for null: {"leadId":null}.'),
        search: described(z.optional(z.string()), 'A part of any text field, ignoring case.'),
        ...paging,
      }),
      data: z.array(schema),
      meta: PAGE,
      run(context, { query: { where = '{}', search = '', limit, offset, ...equals } }) {
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
      run: (context, { params: { id } }) => known(context, id),
    }),
    controlOperation('rows.update', {
      summary: `Changes some fields of a ${noun}; no event is emitted.`,
      body: z.strictObject(optional),
      data: schema,
      run: (context, { params: { id }, body }) => rowsOf(context).update(known(context, id).id, body),
    }),
    controlOperation('rows.delete', {
      summary: `Deletes a ${noun}.`,
      data: DELETED,
      run: (context, { params: { id } }) => deleted(rowsOf(context).delete(id), unknown(id)),
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
