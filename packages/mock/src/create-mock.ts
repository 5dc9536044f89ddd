import { createClientOptions } from './client-options.ts';
import { createFetch } from './hosts/fetch.ts';
import { createHandlers } from './hosts/msw.ts';
import { inspect } from './inspect.ts';
import type { Mock } from './mock.ts';
import { toBaseUrl } from './request/incoming-request.ts';
import type { WorldClock } from './world/clock/clock.ts';
import { createWorld } from './world/create-world.ts';
import { receiveInbound } from './world/inbound.ts';
import { addInspectSummaries } from './world/inspect-summaries.ts';
import type { MockOptions } from './world/options.ts';
import { checkOptions } from './world/options.ts';
import { restoreSnapshot, takeSnapshot } from './world/snapshot.ts';
import type { World } from './world/world.ts';
import { checkOpen, closeWorld, worldOf } from './world/world.ts';

const BASE_URL = 'https://api.confab.test';

/**
 * Creates a mock of the whole service. Mocks share nothing with each other.
 *
 * @throws A {@link MockError} when an option is invalid.
 * @throws A {@link CollectionError} when a row of `data` is invalid.
 * @example
 * ```ts
 * const mock = createMock({ rateLimit: 5 });
 * const confab = createClient(mock.clientOptions);
 * const lead = await confab.leads.create({ phone: '+5511987654321' });
 * ```
 */
export const createMock = (options: MockOptions = {}): Mock => createMockWithKey(options).mock;

/**
 * {@link createMock}, which also returns the world behind the mock.
 *
 * @param key The key of the mock. By default, it depends on the seed.
 * @param clock Replaces the clock of `options.clock`: a simulation puts the mock on the clock that its other parts follow
 * (docs/decisions/0004).
 */
export const createMockWithKey = (
  options: MockOptions,
  key?: string,
  clock?: WorldClock,
): { mock: Mock; world: World } => {
  checkOptions(options);
  const world = createWorld(options, key, clock);
  const baseUrl = toBaseUrl(options.baseUrl ?? BASE_URL);
  for (const init of options.keys ?? []) {
    world.keys.create(init);
  }
  const fetch = createFetch(world, baseUrl);
  const start = takeSnapshot(world);
  const { store } = world;
  let handlers: Mock['handlers'] | undefined;
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= closeWorld(world);
    return closed;
  };

  const mock: Mock = {
    baseUrl: baseUrl.href,
    get apiKey() {
      return world.apiKey;
    },
    fetch,
    clientOptions: createClientOptions(world, baseUrl.href, fetch),
    get handlers() {
      // Created when first read, because most mocks never need them and they are the largest part of a mock.
      handlers ??= createHandlers(world, baseUrl);
      return handlers;
    },
    ...store.byName,
    keys: world.keys,
    clock: world.clock,
    faults: world.faults,
    webhooks: world.outbox,
    requests: world.log,
    inbound: async (inbound) => {
      checkOpen(world, 'mock.inbound() was called');
      return receiveInbound(world, inbound);
    },
    dump: () => store.dump(),
    snapshot: () => takeSnapshot(world),
    restore: (snapshot) => {
      checkOpen(world, 'mock.restore() was called');
      restoreSnapshot(world, snapshot);
    },
    reset: () => {
      checkOpen(world, 'mock.reset() was called');
      restoreSnapshot(world, start);
    },
    inspect: async (options) => {
      checkOpen(world, 'mock.inspect() was called');
      return inspect(mock, world, options);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  worldOf.set(mock, world);
  addInspectSummaries(mock, world);
  return { mock, world };
};
