import { invalidArgument } from '../errors/invalid-argument.ts';
import type { ListedKey } from '../world/keys/keys.ts';
import type { RequestPage } from '../world/log/request-query.ts';
import type { Call } from './call.ts';
import { remoteCollection } from './remote-collection.ts';
import type { RemoteParts } from './remote-parts.ts';
import { remoteWebhooks } from './remote-webhooks.ts';

/** As many entries as a mock keeps. */
const ALL = 10_000;

/** @throws {@link MockError} `INVALID_ARGUMENT`, when the date does not exist. */
const toText = (date: Date | string | number): string => {
  if (typeof date === 'string') {
    return date;
  }
  const given = new Date(date);
  if (Number.isNaN(given.getTime())) {
    throw invalidArgument(
      `clock.set() must be called with a Date, milliseconds, or a date-time with an offset (RFC 3339), got ${String(date)}`,
    );
  }
  return given.toISOString();
};

const remoteRequests = (call: Call): RemoteParts['requests'] => {
  const list: RemoteParts['requests']['list'] = async (query = {}) => {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const texts = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
    return (await call('requests.list', { query: texts })) as unknown as RequestPage;
  };
  return {
    all: async () => (await list({ limit: ALL })).data,
    of: async (operation) => (await list({ operation, limit: ALL })).data,
    list,
    count: async (pattern = {}) =>
      (await call<{ count: number }>('requests.count', { body: pattern })).data.count,
    verify: async (expectation) =>
      (await call<{ count: number }>('requests.verify', { body: expectation })).data.count,
    length: async () => (await list({ limit: 1 })).meta.total,
    clear: async () => {
      await call('requests.clear');
    },
  };
};

const remoteKeys = (call: Call): RemoteParts['keys'] => ({
  create: async (init = {}) => (await call<never>('keys.create', { body: init })).data,
  revoke: async (key) => (await call<{ revoked: boolean }>('keys.revoke', { body: { key } })).data.revoked,
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
  const plan = async (operation: string, fault: object, once: boolean) =>
    (await call<{ id: string }>('faults.plan', { body: { operation, fault, once } })).data.id;
  return {
    once: (operation, fault) => plan(operation, fault, true),
    always: (operation, fault) => plan(operation, fault, false),
    planned: async () => (await call<never>('faults.list')).data,
    remove: (id) => call.existed('faults.remove', { params: { id } }),
    clear: async () => {
      await call('faults.clear');
    },
  };
};

const remoteClock = (call: Call): RemoteParts['clock'] => ({
  now: async () => Date.parse((await call<{ now: string }>('clock.get')).data.now),
  advance: async (ms) => {
    await call('clock.move', { body: { advance: ms }, patient: true });
  },
  set: async (date) => {
    await call('clock.move', { body: { set: toText(date) }, patient: true });
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
  inbound: async (inbound) => (await call<never>('inbound', { body: inbound })).data,
  dump: async () => (await call<never>('state')).data,
  snapshot: async () => (await call<never>('snapshots.take')).data,
  snapshots: async () => (await call<never>('snapshots.list')).data,
  restore: async ({ id }) => {
    await call('snapshots.restore', { params: { id } });
  },
  deleteSnapshot: ({ id }) => call.existed('snapshots.delete', { params: { id } }),
  reset: async () => {
    await call('reset');
  },
});
