import { getHeapStatistics } from 'node:v8';
import { isLoopback } from '@confab/internal';
import { invalidArgument, MockError } from '../errors/mock-error.ts';
import type { Mock } from '../mock.ts';
import type { LoggedRequest } from '../world/log/logged-request.ts';
import type { Snapshot } from '../world/snapshot.ts';
import type { Delivery } from '../world/webhooks/delivery.ts';
import type { World } from '../world/world.ts';
import { checkOpen, worldOf } from '../world/world.ts';
import type { CapacityLimits } from './capacity.ts';
import { CAPACITY, Capacity } from './capacity.ts';
import { checkServeOptions } from './check-serve-options.ts';
import { createCors } from './cors.ts';
import type { HttpServer, ServerLimits } from './http-server.ts';
import { startHttpServer } from './http-server.ts';
import { createInspector } from './inspector.ts';
import type { OwnRequest } from './respond.ts';
import { respond } from './respond.ts';
import type { MockServer, ServeOptions } from './serve-options.ts';
import { ServedWorlds } from './served-worlds.ts';

/** Milliseconds after which an unused world is deleted: longer than a test waits, and shorter than a day's work. */
const WORLD_TTL = 600_000;

/** More worlds than any test run has at once. Together, that many take less than 200 MB. */
const MAX_WORLDS = 1_000;

interface ListenOptions extends ServeOptions {
  /** Called with each request to the mock's own endpoints, after its response. */
  readonly onOwnRequest?: ((request: OwnRequest) => void) | undefined;
  /** Called with a delivery after each attempt, those of worlds included. */
  readonly onAttempt?: ((delivery: Delivery) => void) | undefined;
  /**
   * The state that a reset restores.
   * @default that of the mock now
   */
  readonly start?: Snapshot | undefined;
  /**
   * The key that remote clients are given.
   * @default the mock's own
   */
  readonly apiKey?: string | undefined;
  /**
   * The folder with the files of the inspector.
   * @default that of this package
   */
  readonly inspectorFolder?: string | undefined;
  /** Limits that differ from the default. */
  readonly limits?: Partial<ServerLimits & CapacityLimits & { readonly worlds: number }> | undefined;
}

/**
 * {@link serve}, with the options of the command. The caller has checked the options.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when the certificate or its key is invalid.
 * @throws {@link MockError} `CANNOT_LISTEN`, when the port is in use or the address is not available.
 */
export const listen = async (mock: Mock, options: ListenOptions): Promise<MockServer & HttpServer> => {
  const { port = 0, host = '127.0.0.1', tls, cors: origins = false, adminToken: token, limits } = options;
  const world = worldOf.get(mock);
  if (world === undefined) {
    throw invalidArgument('serve() must be called with a mock that createMock() returned');
  }
  checkOpen(world, 'serve()');

  const { onRequest, onAttempt } = options;
  /** Keeps the token out of the log of a world, and reports what happens in it. */
  const observe = ({ secrets, watchers }: World) => {
    if (token !== undefined) {
      secrets.add(token);
    }
    if (onRequest === undefined && onAttempt === undefined) {
      return undefined;
    }
    return watchers.watch((type, data) => {
      if (type === 'request') {
        onRequest?.(data as LoggedRequest);
      } else if (type === 'delivery' && (data as Delivery).attempts.length > 0) {
        onAttempt?.(data as Delivery);
      }
    });
  };
  const worlds = new ServedWorlds({
    ttl: options.worldTtl ?? WORLD_TTL,
    max: limits?.worlds ?? MAX_WORLDS,
    maxBytes: options.maxWorldBytes ?? getHeapStatistics().heap_size_limit / 4,
    clock: world.clock.kind,
    onCreate: observe,
  });
  const cors = origins === false ? undefined : createCors(origins);
  const served = {
    context: {
      mock,
      world,
      apiKey: options.apiKey ?? mock.apiKey,
      start: options.start ?? mock.snapshot(),
      snapshots: new Map(),
      worlds,
    },
    worlds,
    access: { token, loopback: isLoopback(host), allows: cors?.allows },
    inspector: createInspector(options.inspectorFolder),
    cors,
    allowHttp: options.allowHttp ?? false,
    capacity: new Capacity({ ...CAPACITY, ...limits }),
    onOwnRequest: options.onOwnRequest,
  };
  const serverOptions = { port, host, tls, limits };
  const server = await startHttpServer((...request) => void respond(served, ...request), serverOptions);
  const unwatch = observe(world);

  const stop = async (): Promise<void> => {
    unwatch?.();
    world.servers.delete(close);
    // Otherwise the retries of a delivery would keep the process alive for up to a quarter of an hour.
    const last = world.servers.size === 0;
    const reason = new MockError('DELIVERY_ABANDONED', 'The server was closed');
    await Promise.all([server.close(), worlds.close(), last ? world.outbox.giveUp(reason) : undefined]);
  };
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= stop();
    return closed;
  };
  world.servers.add(close);
  return { url: server.url, finish: server.finish, close, [Symbol.asyncDispose]: close };
};

/**
 * Serves a mock over HTTP.
 *
 * `POST /__mock/reset` restores the mock's present state, with its keys, faults and endpoints; `mock.reset()` still
 * restores the state in which `createMock` returned it.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when an option is unknown or invalid.
 * @throws {@link MockClosedError} When the mock is closed.
 * @throws {@link MockError} `CANNOT_LISTEN`, when the port is in use or the address is not available.
 * @example
 * ```ts
 * const mock = createMock({ clock: 'system' });
 * const server = await serve(mock);
 * const confab = createClient({ baseUrl: server.url, apiKey: mock.apiKey });
 * await server.close();
 * ```
 */
export const serve = async (mock: Mock, options: ServeOptions = {}): Promise<MockServer> => {
  checkServeOptions(options);
  const { finish: _, ...server } = await listen(mock, options);
  return server;
};
