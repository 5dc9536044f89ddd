import { toBaseUrl } from './hosts/base-url.ts';
import { createFetch } from './hosts/create-fetch.ts';
import { createHandlers } from './hosts/create-handlers.ts';
import { receive } from './inbound.ts';
import { inspectMock } from './inspect-mock.ts';
import type { Mock } from './mock.ts';
import { checkOptions } from './setup/check-options.ts';
import { createWorld } from './setup/create-world.ts';
import type { MockOptions } from './setup/mock-options.ts';
import { checkOpen, closeWorld } from './world/close-world.ts';
import { restoreSnapshot, takeSnapshot } from './world/snapshot.ts';
import { worldOf } from './world-of.ts';

const BASE_URL = 'https://api.confab.test';

/**
 * Creates a mock of the whole service. Mocks share nothing with each other.
 *
 * @throws {@link MockError} When an option is invalid.
 * @throws {@link CollectionError} When a row of `data` is invalid.
 * @example
 * ```ts
 * const mock = createMock({ rateLimit: 5 });
 * const confab = createClient(mock.clientOptions);
 * const lead = await confab.leads.create({ phone: '+5511987654321' });
 * ```
 */
export const createMock = (options: MockOptions = {}): Mock => {
  checkOptions(options);
  const world = createWorld(options);
  const baseUrl = toBaseUrl(options.baseUrl ?? BASE_URL);
  const { key: apiKey } = world.keys.create();
  for (const key of options.keys ?? []) {
    world.keys.create(key);
  }
  const fetch = createFetch(world, baseUrl);
  const start = takeSnapshot(world);
  const { store } = world;
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= closeWorld(world);
    return closed;
  };

  const mock: Mock = {
    baseUrl: baseUrl.href,
    apiKey,
    fetch,
    clientOptions: {
      baseUrl: baseUrl.href,
      apiKey,
      fetch,
      clock: world.clock,
      dangerouslyAllowBrowser: true,
    },
    handlers: createHandlers(world, baseUrl),
    pipelines: store.pipelines,
    leads: store.leads,
    conversations: store.conversations,
    messages: store.messages,
    agents: store.agents,
    keys: world.keys,
    clock: world.clock,
    faults: world.faults,
    webhooks: world.outbox,
    requests: world.log,
    inbound: async (inbound) => {
      checkOpen(world, 'mock.inbound()');
      return receive(world, inbound);
    },
    dump: () => store.dump(),
    snapshot: () => takeSnapshot(world),
    restore: (snapshot) => {
      checkOpen(world, 'mock.restore()');
      restoreSnapshot(world, snapshot);
    },
    reset: () => {
      checkOpen(world, 'mock.reset()');
      restoreSnapshot(world, start);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  worldOf.set(mock, world);
  inspectMock(mock, world.clock.kind);
  return mock;
};
