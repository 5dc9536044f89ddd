import type { CollectionName } from '../control/routes.ts';
import type { MockCollection } from '../mock.ts';
import type { MockRow } from '../world/store/order.ts';
import type { Call } from './call.ts';
import { checkObject, checkText } from './check-arguments.ts';
import type { Remote } from './remote.ts';
import { toJson } from './to-json.ts';

/** The longest page of rows. */
const PAGE = 10_000;

const [FIELDS, ID] = ['an object with row fields', 'the id of a row'];

/**
 * The rows of one collection of a served mock.
 *
 * @internal
 */
export const remoteCollection = <T extends MockRow, Init extends object>(
  call: Call,
  collection: CollectionName,
): Remote<MockCollection<T, Init>> => {
  const find = async (where: object = {}): Promise<readonly T[]> => {
    checkObject(`${collection}.find()`, where, FIELDS);
    const rows: T[] = [];
    for (;;) {
      const query = { where: toJson(where), limit: String(PAGE), offset: String(rows.length) };
      const { data, meta } = await call<T[]>('rows.find', { params: { collection }, query });
      rows.push(...data);
      if (data.length === 0 || rows.length >= meta.total) {
        return rows;
      }
    }
  };
  // The types of a mock's methods, with their parameters narrowed to what can be sent.
  return {
    create: async (values: Init) => {
      checkObject(`${collection}.create()`, values, FIELDS);
      return (await call<T>('rows.create', { params: { collection }, body: values })).data;
    },
    get: async (id: string) => {
      checkText(`${collection}.get()`, id, ID);
      return (await find({ id: id.toLowerCase() }))[0];
    },
    find,
    update: async (id: string, changes: object) => {
      checkText(`${collection}.update()`, id, ID);
      checkObject(`${collection}.update(id, fields)`, changes, FIELDS);
      return (await call<T>('rows.update', { params: { collection, id }, body: changes })).data;
    },
    delete: async (id: string) => {
      checkText(`${collection}.delete()`, id, ID);
      return call.existed('rows.delete', { params: { collection, id } });
    },
    count: async (where: object = {}) => {
      checkObject(`${collection}.count()`, where, FIELDS);
      const query = { where: toJson(where), limit: '1' };
      return (await call('rows.find', { params: { collection }, query })).meta.total;
    },
  } as unknown as Remote<MockCollection<T, Init>>;
};
