import { isLoopback } from '@confab/internal';
import { invalidArgument, MockError } from '../errors/mock-error.ts';
import type { HttpServer } from '../http/http-server.ts';
import { startHttpServer } from '../http/http-server.ts';
import type { Mock } from '../mock.ts';
import type { LoggedRequest } from '../world/log/logged-request.ts';
import type { Delivery } from '../world/webhooks/delivery.ts';
import type { World } from '../world/world.ts';
import { checkOpen, worldOf } from '../world/world.ts';
import { checkServeOptions } from './check-serve-options.ts';
import { createListener } from './listener.ts';
import type { ListenOptions, MockServer, ServeOptions } from './serve-options.ts';
import { createWorlds, randomKey } from './served-worlds.ts';

/**
 * {@link serve}, with the options of the command. The caller has checked the options.
 *
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when the certificate or its key is invalid.
 * @throws A {@link MockError} `CANNOT_LISTEN`, when the port is in use or the address is not available.
 */
export const listen = async (mock: Mock, options: ListenOptions): Promise<MockServer & HttpServer> => {
  const { port = 0, host = '127.0.0.1', tls, adminToken, limits } = options;
  const world = worldOf.get(mock);
  if (world === undefined) {
    throw invalidArgument('serve() must be called with a mock that createMock() returned.');
  }
  checkOpen(world, 'serve() was called');

  const { onRequest, onAttempt } = options;
  /** Keeps the token out of the log of a world, and reports the world's requests and deliveries. */
  const observe = ({ adminTokens, watchers }: World) => {
    if (adminToken !== undefined) {
      // In a query, a `+` that is not escaped is read as a space.
      adminTokens.add(adminToken).add(adminToken.replaceAll('+', ' '));
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
  const worlds = createWorlds(options, world.clock.kind, observe);
  const { apiKey = mock.apiKey, start = mock.snapshot() } = options;
  const context = { mock, world, apiKey, start, snapshots: new Map(), worlds };
  const listener = createListener(context, worlds, { ...options, host });
  const server = await startHttpServer(listener, { port, host, tls, limits });
  const unwatch = observe(world);

  const close = async (): Promise<void> => {
    unwatch?.();
    // Otherwise the retries of a delivery would keep the process alive for up to a quarter of an hour.
    const wasLast = world.servers.delete(close) && world.servers.size === 0;
    const reason = new MockError('DELIVERY_ABANDONED', 'The server was closed.');
    await Promise.all([server.close(), worlds.close(), wasLast && world.outbox.abandonDeliveries(reason)]);
  };
  world.servers.add(close);
  return { url: server.url, finish: server.finish, close, [Symbol.asyncDispose]: close };
};

/**
 * Serves a mock over HTTP.
 *
 * `POST /__mock/reset` restores the state that the mock has now, with its keys, faults and endpoints; `mock.reset()`
 * still restores the state in which `createMock` returned it.
 *
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when an option is unknown or invalid.
 * @throws A {@link MockClosedError} when the mock is closed.
 * @throws A {@link MockError} `CANNOT_LISTEN`, when the port is in use or the address is not available.
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
  const world = worldOf.get(mock);
  if (world !== undefined && !isLoopback(options.host ?? '127.0.0.1')) {
    const key = randomKey();
    world.keys.rename(world.apiKey, key);
    world.apiKey = key;
  }
  const { finish: _, ...server } = await listen(mock, options);
  return server;
};
