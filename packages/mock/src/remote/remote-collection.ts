import type { CollectionName } from '../control/routes.ts';
import type { MockCollection } from '../mock.ts';
import type { MockRow } from '../sorted/order.ts';
import type { Call } from './call.ts';
import type { Remote } from './remote.ts';
import { toJson } from './to-json.ts';

/** The longest page of rows. */
const PAGE = 10_000;

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
    create: async (values: Init) =>
      (await call<T>('rows.create', { params: { collection }, body: values })).data,
    get: async (id: string) => (await find({ id: id.toLowerCase() }))[0],
    find,
    update: async (id: string, changes: object) =>
      (await call<T>('rows.update', { params: { collection, id }, body: changes })).data,
    delete: (id: string) => call.existed('rows.delete', { params: { collection, id } }),
    count: async (where: object = {}) => {
      const query = { where: toJson(where), limit: '1' };
      return (await call('rows.find', { params: { collection }, query })).meta.total;
    },
  } as unknown as Remote<MockCollection<T, Init>>;
};
