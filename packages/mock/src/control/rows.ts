import { orNotFound } from '../errors/refusal.ts';
import { slicePage } from '../world/log/query.ts';
import type { ResourceName } from '../world/resources/names.ts';
import { RESOURCES } from '../world/resources/resources.ts';
import type { MockCollection } from '../world/store/collection.ts';
import type { MockRow } from '../world/store/table.ts';
import type { ControlContext, Handlers } from './context.ts';
import { toDeleted } from './context.ts';
import { readJsonObject } from './read-input.ts';
import type { RouteId, RouteParams } from './routes.ts';

const rowsOf = ({ mock }: ControlContext, { collection }: RouteParams<'rows.find'>) =>
  mock[collection as ResourceName] as unknown as MockCollection<MockRow>;

const unknownRow = ({ collection, id }: RouteParams<'rows.get'>): string =>
  `No ${RESOURCES[collection as ResourceName].noun} has the id ${id}`;

const contains = (row: MockRow, search: string): boolean =>
  Object.values(row).some((value) => typeof value === 'string' && value.toLowerCase().includes(search));

/** The handlers of the operations on rows. */
export const rows: Handlers<RouteId & `rows.${string}`> = {
  'rows.find'(context, { params, query: { where = '{}', search = '', limit, offset, ...equals } }) {
    const found = rowsOf(context, params).find({ ...equals, ...readJsonObject('query.where', where) });
    const part = search.toLowerCase();
    const wanted = part === '' ? found : found.filter((row) => contains(row, part));
    return slicePage(wanted, { limit, offset });
  },
  'rows.create': (context, { params, body }) => ({ data: rowsOf(context, params).create(body) }),
  'rows.get': (context, { params }) => ({
    data: orNotFound(rowsOf(context, params).get(params.id), unknownRow(params)),
  }),
  'rows.update'(context, { params, body }) {
    const collection = rowsOf(context, params);
    const { id } = orNotFound(collection.get(params.id), unknownRow(params));
    return { data: collection.update(id, body) };
  },
  'rows.delete': (context, { params }) =>
    toDeleted(rowsOf(context, params).delete(params.id), unknownRow(params)),
};
