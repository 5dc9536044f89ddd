import type { RouteId } from '../control/routes.ts';
import { invalidArgument } from '../errors/mock-error.ts';
import type { FaultPlan } from '../world/faults/fault.ts';
import type { RequestQuery } from '../world/log/query.ts';
import type { ResourceName } from '../world/resources/names.ts';
import { RESOURCE_NAMES } from '../world/resources/names.ts';
import type { MockRow } from '../world/store/table.ts';
import type { DeliveryFaultPlan } from '../world/webhooks/delivery-faults.ts';
import type { CallOptions, Target } from './call.ts';
import { call, callIfExists, checkText } from './call.ts';
import type { RemoteCollections, RemoteParts, RemoteWorlds } from './remote-mock.ts';
import { toJson } from './to-json.ts';

/** The length of the longest page of a list. The log of a mock has no more entries. */
const MAX_LIMIT = 10_000;

/** The longest flush of a server, in milliseconds. */
const MAX_FLUSH_MS = 300_000;

/** Milliseconds in which a server responds after the end of a flush. */
const FLUSH_GRACE_MS = 10_000;

/** Calls an operation and resolves to its data. */
const dataOf = async <Id extends RouteId>(target: Target, id: Id, options?: CallOptions<Id>) =>
  (await call(target, id, options)).data;

/** Calls an operation that returns nothing. */
const run = async <Id extends RouteId>(target: Target, id: Id, options?: CallOptions<Id>): Promise<void> => {
  await call(target, id, options);
};

/** Calls an operation on an object with an id, and resolves to whether there was such an object. */
const exists = async <Id extends RouteId>(target: Target, id: Id, options: CallOptions<Id>) =>
  (await callIfExists(target, id, options)) !== undefined;

/** Restores `Infinity`, which JSON writes as null. */
const toLimit = (sent: number | null): number => sent ?? Number.POSITIVE_INFINITY;

/** Makes `.length` of a method throw. A local mock has a list in its place, and the 0 of a function would look like an empty list. */
const listMethod = <Read extends () => Promise<unknown>>(name: string, read: Read): Read =>
  Object.defineProperty(read, 'length', {
    get: () => {
      throw invalidArgument(
        `${name} is a function of a remote mock, which has no length. Use (await mock.${name}()).length`,
      );
    },
  });

const collectionOf = (target: Target, collection: ResourceName) => {
  const page = (where: object, limit: number, offset = 0) =>
    call(target, 'rows.find', {
      params: { collection },
      query: { where: toJson(where), limit, offset },
    });
  const find = async (where: object = {}): Promise<readonly MockRow[]> => {
    const rows: MockRow[] = [];
    for (;;) {
      const { data, meta } = await page(where, MAX_LIMIT, rows.length);
      rows.push(...data);
      if (data.length === 0 || rows.length >= meta.total) {
        return rows;
      }
    }
  };
  return {
    create: (body: object) => dataOf(target, 'rows.create', { params: { collection }, body }),
    get: (id: string) => callIfExists(target, 'rows.get', { params: { collection, id } }),
    find,
    update: (id: string, body: object) => dataOf(target, 'rows.update', { params: { collection, id }, body }),
    delete: (id: string) => exists(target, 'rows.delete', { params: { collection, id } }),
    count: async (where: object = {}) => (await page(where, 1)).meta.total,
  };
};

// The compiler can't tell which collection has which type of row.
const collectionsOf = (target: Target): RemoteCollections =>
  Object.fromEntries(RESOURCE_NAMES.map((name) => [name, collectionOf(target, name)])) as never;

const requestsOf = (target: Target): RemoteParts['requests'] => {
  const list = (query: RequestQuery) => call(target, 'requests.list', { query });
  return {
    all: listMethod('requests.all', async () => (await list({ limit: MAX_LIMIT })).data),
    of: async (operation) => {
      checkText('operation', operation);
      return (await list({ operation, limit: MAX_LIMIT })).data;
    },
    list: (query = {}) => list(query),
    count: async (body = {}) => (await dataOf(target, 'requests.count', { body })).count,
    verify: async (body) => (await dataOf(target, 'requests.verify', { body })).count,
    length: async () => (await list({ limit: 1 })).meta.total,
    clear: () => run(target, 'requests.clear'),
  };
};

const keysOf = (target: Target): RemoteParts['keys'] => ({
  create: (body = {}) => dataOf(target, 'keys.create', { body }),
  revoke: (key) => exists(target, 'keys.revoke', { body: { key } }),
  list: async () =>
    (await dataOf(target, 'keys.list')).map(({ rateLimit, ...key }) => ({
      ...key,
      rateLimit: { ...rateLimit, requests: toLimit(rateLimit.requests) },
    })),
});

const faultsOf = (target: Target): RemoteParts['faults'] => {
  const plan = async (body: FaultPlan) => (await dataOf(target, 'faults.plan', { body })).id;
  return {
    once: (operation, fault) => plan({ operation, fault }),
    always: (operation, fault) => plan({ operation, fault, once: false }),
    planned: listMethod('faults.planned', () => dataOf(target, 'faults.list')),
    remove: (id) => exists(target, 'faults.remove', { params: { id } }),
    clear: () => run(target, 'faults.clear'),
  };
};

const deliveryFaultsOf = (target: Target): RemoteParts['webhooks']['deliveryFaults'] => {
  const plan = async (body: DeliveryFaultPlan) => (await dataOf(target, 'deliveryFaults.plan', { body })).id;
  return {
    once: plan,
    always: (fault) => plan({ ...fault, once: false }),
    planned: listMethod('deliveryFaults.planned', () => dataOf(target, 'deliveryFaults.list')),
    remove: (id) => exists(target, 'deliveryFaults.remove', { params: { id } }),
    clear: () => run(target, 'deliveryFaults.clear'),
  };
};

const webhooksOf = (target: Target): RemoteParts['webhooks'] => ({
  add: async (body) => (await dataOf(target, 'webhooks.add', { body })).id,
  remove: (id) => exists(target, 'webhooks.remove', { params: { id } }),
  endpoints: listMethod('webhooks.endpoints', async () =>
    (await dataOf(target, 'webhooks.list')).map(({ timeout, ...endpoint }) => ({
      ...endpoint,
      timeout: toLimit(timeout),
    })),
  ),
  emit: (event, data) => run(target, 'webhooks.emit', { body: { event, data } }),
  flush: () => {
    const timeoutMs = Math.min(Math.ceil(target.timeoutMs), MAX_FLUSH_MS);
    return run(target, 'webhooks.flush', { query: { timeoutMs }, graceMs: FLUSH_GRACE_MS });
  },
  deliveries: listMethod('webhooks.deliveries', () =>
    dataOf(target, 'deliveries.list', { query: { limit: MAX_LIMIT } }),
  ),
  redeliver: (id) => dataOf(target, 'deliveries.redeliver', { params: { id } }),
  deliveryFaults: deliveryFaultsOf(target),
});

/** @internal */
export const remoteParts = (target: Target, apiKey: string): RemoteParts => ({
  baseUrl: target.url,
  apiKey,
  clientOptions: { baseUrl: target.url, apiKey, dangerouslyAllowBrowser: true },
  ...collectionsOf(target),
  keys: keysOf(target),
  clock: {
    now: async () => Date.parse((await dataOf(target, 'clock.get')).now),
    advance: (ms) => run(target, 'clock.move', { body: { advance: ms } }),
    set: (date) => run(target, 'clock.move', { body: { set: date instanceof Date ? date.getTime() : date } }),
  },
  faults: faultsOf(target),
  webhooks: webhooksOf(target),
  requests: requestsOf(target),
  inbound: (body) => dataOf(target, 'inbound', { body }),
  dump: () => dataOf(target, 'state'),
  snapshot: () => dataOf(target, 'snapshots.take'),
  snapshots: () => dataOf(target, 'snapshots.list'),
  restore: ({ id }) => run(target, 'snapshots.restore', { params: { id } }),
  deleteSnapshot: ({ id }) => exists(target, 'snapshots.delete', { params: { id } }),
  reset: () => run(target, 'reset'),
});

/** @internal */
export const remoteWorlds = (target: Target): RemoteWorlds => {
  const remove = (id: string) => exists(target, 'worlds.delete', { params: { id } });
  return {
    create: async (body = {}) => {
      const { id, path, apiKey } = await dataOf(target, 'worlds.create', { body });
      return {
        ...remoteParts({ ...target, url: target.url + path }, apiKey),
        id,
        delete: () => remove(id),
        [Symbol.asyncDispose]: async () => {
          await remove(id);
        },
      };
    },
    list: () => dataOf(target, 'worlds.list'),
    delete: remove,
  };
};
