import { randomBytes } from 'node:crypto';
import { checkNames } from '../errors/check.ts';
import { invalidArgument } from '../errors/mock-error.ts';
import { orNotFound } from '../errors/refusal.ts';
import { SERVER_LIMITS } from '../http/server-limits.ts';
import type { PlannedFault } from '../world/faults/fault.ts';
import type { KeyInit } from '../world/keys/keys.ts';
import type { MockOptions } from '../world/options.ts';
import { apiDocument } from './api-document.ts';
import type { ControlContext, Handlers, Worlds } from './context.ts';
import { toDeleted } from './context.ts';
import { controlDocument, describeEndpoints } from './control-document.ts';
import type { ControlOperations, MockClock, MockTime } from './endpoint-types.ts';
import { streamEvents } from './events.ts';
import { fromJson } from './read-input.ts';
import type { RemotePlannedFault } from './remote-types.ts';
import { rows } from './rows.ts';
import { webhooks } from './webhooks.ts';

const timeOf = ({ mock }: ControlContext): MockTime => ({ now: new Date(mock.clock.now()).toISOString() });

const clockOf = (context: ControlContext): MockClock => ({
  ...timeOf(context),
  kind: context.world.clock.kind,
});

const unknownSnapshot = (id: string): string => `No snapshot has the id ${id}`;

/** @throws A {@link Refusal} 404, when the request is for a world, because worlds have no worlds of their own. */
const requireWorlds = ({ worlds }: ControlContext): Worlds =>
  orNotFound(worlds, "Worlds can't be nested. Call POST /__mock/worlds at the root of the server.");

const toRemoteFault = ({ fault, ...planned }: PlannedFault): RemotePlannedFault => ({
  ...planned,
  fault: typeof fault === 'function' ? null : fault,
});

/** The handlers of all control operations. `handle-control.ts` turns the errors that they throw into refusals. */
export const handlers: Handlers = {
  ...rows,
  ...webhooks,
  health: () => ({ data: { status: 'ok' } }),
  index: async () => ({ data: { endpoints: await describeEndpoints() } }),
  openapi: async (_, { baseUrl }) => ({ document: await controlDocument(baseUrl) }),
  api: ({ world }, { baseUrl }) => ({ document: apiDocument(baseUrl, world.store) }),
  events: ({ world }) => ({ stream: streamEvents(world) }),
  info(context, { baseUrl }) {
    const { apiKey, world } = context;
    return { data: { baseUrl, apiKey, apiKeyId: world.keys.get(apiKey)?.id, clock: clockOf(context) } };
  },
  state: ({ mock }) => ({ data: mock.dump() as ControlOperations['state']['data'] }),
  inbound: async ({ mock }, { body }) => ({ data: await mock.inbound(body) }),
  reset(context) {
    context.mock.restore(context.start);
    return { data: timeOf(context) };
  },

  'requests.list': ({ mock }, { query }) => mock.requests.list(query),
  'requests.count': ({ mock }, { body }) => ({ data: { count: mock.requests.count(body) } }),
  'requests.verify': ({ mock }, { body }) => ({ data: { count: mock.requests.verify(body) } }),
  'requests.clear': async ({ mock }) => mock.requests.clear(),

  'keys.list': ({ mock }) => ({ data: mock.keys.list() }),
  'keys.create': ({ mock }, { body }) => ({ data: mock.keys.create(fromJson<KeyInit>(body)) }),
  // The key is in the body, because servers and proxies log paths.
  'keys.revoke'({ mock }, { body }) {
    checkNames('field', body, ['key']);
    const unknown =
      '`key` must be a valid key or the id of one. It may have been revoked already. GET /__mock/keys lists the ids.';
    return { data: { revoked: orNotFound<true>(mock.keys.revoke(body.key), unknown) } };
  },

  'faults.list': ({ world: { faults } }) => ({
    data: faults.planned.map(toRemoteFault),
    meta: { usedUp: faults.usedUp.map(toRemoteFault) },
  }),
  'faults.plan': ({ world }, { body }) => ({ data: { id: world.faults.plan(body) } }),
  'faults.remove': ({ mock }, { params: { id } }) =>
    toDeleted(mock.faults.remove(id), `No planned fault has the id ${id}. It may have been used already.`),
  'faults.clear': async ({ mock }) => mock.faults.clear(),

  'clock.get': (context) => ({ data: clockOf(context) }),
  async 'clock.move'(context, { body }) {
    checkNames('field', body, ['advance', 'set']);
    // Some callers send null for a field that they leave out.
    const advance = body.advance ?? undefined;
    const set = body.set ?? undefined;
    const { mock, world } = context;
    if ((advance === undefined) === (set === undefined)) {
      throw invalidArgument(
        `body must have either \`advance\` (milliseconds) or \`set\` (a date), got ${set === undefined ? 'neither' : 'both'}.`,
      );
    }
    if (world.clock.kind === 'system') {
      throw invalidArgument(
        'This mock uses the system clock, and only a virtual clock can be moved. Start it with --clock virtual, or create a world with {"clock":"virtual"}.',
      );
    }
    await (set === undefined ? mock.clock.advance(advance ?? 0) : mock.clock.set(set));
    return { data: timeOf(context) };
  },

  'snapshots.list': ({ snapshots }) => ({
    data: [...snapshots.values()].map(({ id, takenAt }) => ({ id, takenAt })),
  }),
  'snapshots.take'(context) {
    const { mock, snapshots } = context;
    if (snapshots.size >= SERVER_LIMITS.snapshots) {
      throw invalidArgument(
        `The server already keeps ${SERVER_LIMITS.snapshots} snapshots of this mock. Delete one first: DELETE /__mock/snapshots/{id}.`,
      );
    }
    const id = randomBytes(8).toString('hex');
    const takenAt = timeOf(context).now;
    snapshots.set(id, { id, takenAt, snapshot: mock.snapshot() });
    return { data: { id, takenAt } };
  },
  'snapshots.restore'(context, { params: { id } }) {
    context.mock.restore(orNotFound(context.snapshots.get(id), unknownSnapshot(id)).snapshot);
    return { data: timeOf(context) };
  },
  'snapshots.delete': ({ snapshots }, { params: { id } }) =>
    toDeleted(snapshots.delete(id), unknownSnapshot(id)),

  'worlds.create'(context, { body, baseUrl }) {
    if ('baseUrl' in body) {
      throw invalidArgument('A world has the address of its server: leave `baseUrl` out.');
    }
    // Rows need no conversion from JSON, and there may be many.
    const { data, ...options } = body;
    return { data: requireWorlds(context).create({ ...fromJson<MockOptions>(options), data }, baseUrl) };
  },
  'worlds.list': (context) => ({ data: requireWorlds(context).list() }),
  'worlds.delete': async (context, { params: { id } }) =>
    toDeleted(await requireWorlds(context).delete(id), `No world has the id ${id}. It may have expired.`),
};
