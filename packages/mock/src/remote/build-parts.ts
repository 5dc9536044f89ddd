import { invalidArgument } from '../errors/mock-error.ts';
import { checkAdvance, momentOf } from '../world/clock/clock.ts';
import type { ListedKey } from '../world/keys/keys.ts';
import type { RequestPage } from '../world/log/query.ts';
import type { Call } from './call.ts';
import { checkObject, checkText } from './check-arguments.ts';
import type { RemoteSnapshot } from './remote.ts';
import { remoteCollection } from './remote-collection.ts';
import type { RemoteParts } from './remote-parts.ts';
import { remoteWebhooks } from './remote-webhooks.ts';
import { toJson } from './to-json.ts';

/** As many entries as a mock keeps. */
const ALL = 10_000;

const SNAPSHOT = 'a snapshot that snapshot() returned, or { id }';

const OPERATION = "an operation, such as 'leads.list'";

const PATTERN = "an object, such as { operation: 'leads.create' }";

/** @throws {@link MockError} `INVALID_ARGUMENT`, when it is not a snapshot. */
const idOf = (method: string, snapshot: Pick<RemoteSnapshot, 'id'>): string => {
  checkObject(method, snapshot, SNAPSHOT);
  checkText(method, snapshot.id, SNAPSHOT);
  return snapshot.id;
};

/** @throws {@link MockError} `INVALID_ARGUMENT`, when the date does not exist. */
const toText = (date: Date | string | number): string => {
  if (typeof date === 'string') {
    return date;
  }
  const given = momentOf(date);
  if (Number.isNaN(given)) {
    throw invalidArgument(
      `clock.set() must be called with a Date, milliseconds, or a date-time with an offset (RFC 3339), got ${String(date)}`,
    );
  }
  return new Date(given).toISOString();
};

const remoteRequests = (call: Call): RemoteParts['requests'] => {
  const list: RemoteParts['requests']['list'] = async (query = {}) => {
    checkObject('requests.list()', query, "an object with filters, such as { operation: 'leads.list' }");
    toJson(query);
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const texts = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
    return (await call('requests.list', { query: texts })) as unknown as RequestPage;
  };
  return {
    all: async () => (await list({ limit: ALL })).data,
    of: async (operation) => {
      checkText('requests.of()', operation, OPERATION);
      return (await list({ operation, limit: ALL })).data;
    },
    list,
    count: async (pattern = {}) => {
      checkObject('requests.count()', pattern, PATTERN);
      return (await call<{ count: number }>('requests.count', { body: pattern })).data.count;
    },
    verify: async (expectation) => {
      checkObject('requests.verify()', expectation, PATTERN);
      return (await call<{ count: number }>('requests.verify', { body: expectation })).data.count;
    },
    length: async () => (await list({ limit: 1 })).meta.total,
    clear: async () => {
      await call('requests.clear');
    },
  };
};

const remoteKeys = (call: Call): RemoteParts['keys'] => ({
  create: async (init = {}) => {
    checkObject('keys.create()', init, "an object, such as { scopes: ['read:leads'] }");
    return (await call<never>('keys.create', { body: init })).data;
  },
  revoke: async (key) => {
    checkText('keys.revoke()', key, 'a key, or its id');
    return call.existed('keys.revoke', { body: { key } });
  },
  list: async () => {
    const { data } = await call<ListedKey[]>('keys.list');
    // JSON has no `Infinity`.
    return data.map((key) => ({
      ...key,
      rateLimit: { ...key.rateLimit, requests: key.rateLimit.requests ?? Number.POSITIVE_INFINITY },
    }));
  },
});

const remoteFaults = (call: Call): RemoteParts['faults'] => {
  const plan = async (operation: string, fault: object, once: boolean) => {
    const name = once ? 'faults.once' : 'faults.always';
    checkText(`${name}()`, operation, `${OPERATION}, or '*'`);
    if (typeof fault !== 'function') {
      checkObject(`${name}(operation, fault)`, fault, 'a fault, such as { status: 503 }');
    }
    return (await call<{ id: string }>('faults.plan', { body: { operation, fault, once } })).data.id;
  };
  return {
    once: (operation, fault) => plan(operation, fault, true),
    always: (operation, fault) => plan(operation, fault, false),
    planned: async () => (await call<never>('faults.list')).data,
    remove: async (id) => {
      checkText('faults.remove()', id, 'the id of a planned fault');
      return call.existed('faults.remove', { params: { id } });
    },
    clear: async () => {
      await call('faults.clear');
    },
  };
};

const remoteClock = (call: Call): RemoteParts['clock'] => ({
  now: async () => Date.parse((await call<{ now: string }>('clock.get')).data.now),
  advance: async (ms) => {
    checkAdvance(ms);
    await call('clock.move', { body: { advance: ms } });
  },
  set: async (date) => {
    await call('clock.move', { body: { set: toText(date) } });
  },
});

/**
 * The twin of a mock, at a base URL and with its key.
 *
 * @internal
 */
export const remoteParts = (
  call: Call,
  { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string },
): RemoteParts => ({
  baseUrl,
  apiKey,
  clientOptions: { baseUrl, apiKey, dangerouslyAllowBrowser: true },
  pipelines: remoteCollection(call, 'pipelines'),
  leads: remoteCollection(call, 'leads'),
  conversations: remoteCollection(call, 'conversations'),
  messages: remoteCollection(call, 'messages'),
  agents: remoteCollection(call, 'agents'),
  keys: remoteKeys(call),
  clock: remoteClock(call),
  faults: remoteFaults(call),
  webhooks: remoteWebhooks(call),
  requests: remoteRequests(call),
  inbound: async (inbound) => {
    checkObject('inbound()', inbound, "an object, such as { phone: '+5511987654321', body: 'Hello' }");
    return (await call<never>('inbound', { body: inbound })).data;
  },
  dump: async () => (await call<never>('state')).data,
  snapshot: async () => (await call<never>('snapshots.take')).data,
  snapshots: async () => (await call<never>('snapshots.list')).data,
  restore: async (snapshot) => {
    const id = idOf('restore()', snapshot);
    await call('snapshots.restore', { params: { id } });
  },
  deleteSnapshot: async (snapshot) => {
    const id = idOf('deleteSnapshot()', snapshot);
    return call.existed('snapshots.delete', { params: { id } });
  },
  reset: async () => {
    await call('reset');
  },
});
