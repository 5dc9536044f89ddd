import { getHeapStatistics } from 'node:v8';
import { isLoopback } from '@confab/internal';
import { Snapshots } from '../control/snapshots.ts';
import { invalidArgument, MockError } from '../errors/mock-error.ts';
import type { Mock } from '../mock.ts';
import type { Snapshot } from '../world/snapshot.ts';
import type { Delivery } from '../world/webhooks/delivery.ts';
import { checkOpen, worldOf } from '../world/world.ts';
import type { CapacityLimits } from './capacity.ts';
import { CAPACITY, Capacity } from './capacity.ts';
import { createCors } from './cors.ts';
import type { ServerLimits } from './create-bounded-server.ts';
import { createBoundedServer } from './create-bounded-server.ts';
import { Inspector } from './inspector.ts';
import { openPort } from './open-port.ts';
import type { OwnRequest } from './respond.ts';
import { reportLater, respond } from './respond.ts';
import type { MockServer, ServeOptions } from './serve-options.ts';
import type { ServedWorldsOptions } from './served-worlds.ts';
import { ServedWorlds } from './served-worlds.ts';

/** Milliseconds after which an unused world is deleted: longer than a test waits, and shorter than a day's work. */
const WORLD_TTL = 600_000;

/** More than any run of tests has at once, and less than 200 MB of them. */
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
   * The folder with the files of the inspector, for tests.
   * @default that of this package
   */
  readonly inspectorFolder?: string | undefined;
  /** Shorter limits, for tests. */
  readonly limits?: Partial<ServerLimits & CapacityLimits & Pick<ServedWorldsOptions, 'max'>> | undefined;
}

/**
 * {@link serve}, with the options that only the command and tests use. The caller has checked the options.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when the certificate or its key is invalid.
 * @throws {@link MockError} `CANNOT_LISTEN`, when the port is in use or the address is not available.
 */
export const listen = async (mock: Mock, options: ListenOptions): Promise<MockServer> => {
  const {
    port = 0,
    host = '127.0.0.1',
    tls,
    cors: origins = false,
    allowHttp = false,
    adminToken: token,
    onRequest,
    onOwnRequest,
    onAttempt,
  } = options;
  const world = worldOf.get(mock);
  if (world === undefined) {
    throw invalidArgument('serve() must be called with a mock that createMock() returned');
  }
  checkOpen(world, 'serve()');

  const cors = origins === false ? undefined : createCors(origins);
  const access = { token, loopback: isLoopback(host), allows: cors?.allows };
  if (token !== undefined) {
    world.secrets.add(token);
  }
  const capacity = new Capacity({ ...CAPACITY, ...options.limits });
  const reportOwn = onOwnRequest && reportLater(onOwnRequest);
  const report = onRequest && reportLater(onRequest);
  const reportAttempt = onAttempt && reportLater(onAttempt);
  const worlds = new ServedWorlds({
    ttl: options.worldTtl ?? WORLD_TTL,
    max: MAX_WORLDS,
    maxBytes: options.maxWorldBytes ?? getHeapStatistics().heap_size_limit / 4,
    clock: world.clock.kind,
    adminToken: token,
    onRequest: report,
    onAttempt: reportAttempt,
    ...options.limits,
  });
  const context = {
    mock,
    world,
    apiKey: options.apiKey ?? mock.apiKey,
    start: options.start ?? mock.snapshot(),
    snapshots: new Snapshots(),
    worlds,
  };
  const served = {
    context,
    worlds,
    access,
    inspector: new Inspector(options.inspectorFolder),
    cors,
    allowHttp,
    capacity,
    onOwnRequest: reportOwn,
  };
  const server = await createBoundedServer(
    (incoming, outgoing) => void respond(served, incoming, outgoing),
    tls,
    options.limits,
  );
  const url = await openPort(server, { port, host, scheme: tls === undefined ? 'http' : 'https' });
  const unsubscribe = [
    report && world.log.subscribe(report),
    reportAttempt && world.outbox.subscribe(reportAttempt),
  ];

  const stop = async (): Promise<void> => {
    for (const forget of unsubscribe) {
      forget?.();
    }
    world.servers.delete(close);
    const stopped = new Promise<void>((resolve, reject) => {
      server.close((error) => (error === undefined ? resolve() : reject(error)));
      server.closeAllConnections();
    });
    // Otherwise the retries of a delivery would keep the process alive for up to a quarter of an hour.
    const last = world.servers.size === 0;
    const reason = new MockError('DELIVERY_ABANDONED', 'The server was closed');
    await Promise.all([stopped, worlds.close(), last ? world.outbox.giveUp(reason) : undefined]);
  };
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= stop();
    return closed;
  };
  world.servers.add(close);
  return { url, close, [Symbol.asyncDispose]: close };
};
