/// <reference lib="esnext.disposable" preserve="true" />
import type {
  ListedWorld,
  RemoteEndpoint,
  RemoteListedEndpoint,
  RemotePlannedFault,
  RemoteSnapshot,
  RemoteWorldOptions,
} from '../control/remote-types.ts';
import type { Mock, MockClientOptions, MockCollections } from '../mock.ts';
import type { MockWebhooks } from '../world/webhooks/outbox.ts';

/** The arguments of a method without functions, which the method accepts only in the process of the mock. */
export type SendableArguments<Arguments extends readonly unknown[]> = {
  [Index in keyof Arguments]: Exclude<Arguments[Index], (...parameters: never[]) => unknown>;
};

/**
 * The asynchronous twin of a part of a mock. Its methods return promises, and each list or number becomes a method.
 */
export type Remote<Part> = {
  readonly [Name in keyof Part]: Part[Name] extends (...parameters: infer Arguments) => infer Result
    ? (...parameters: SendableArguments<Arguments>) => Promise<Awaited<Result>>
    : () => Promise<Part[Name]>;
};

/** Plans what goes wrong with the requests to a mock server. */
export interface RemoteFaults extends Remote<Omit<Mock['faults'], 'planned'>> {
  /** Lists the planned faults, in the order in which they were planned. */
  planned(): Promise<readonly RemotePlannedFault[]>;
}

/** Delivers the events of a mock server to endpoints, and records the deliveries. */
export interface RemoteWebhooks
  extends Remote<Omit<MockWebhooks, 'add' | 'endpoints' | 'flush' | 'deliveryFaults'>> {
  /**
   * Adds an endpoint, to which all events from now on are delivered.
   *
   * @returns The id of the endpoint, for `remove()`.
   * @throws A {@link MockError} `INVALID_ARGUMENT`, when a field is unknown or invalid.
   */
  add(endpoint: RemoteEndpoint): Promise<string>;
  /** Lists the endpoints, without their secrets. */
  endpoints(): Promise<readonly RemoteListedEndpoint[]>;
  /**
   * Resolves once every delivery is delivered or has failed, as `flush()` of a mock does.
   *
   * @throws A {@link MockError} `DELIVERIES_PENDING`, when some are still pending after the `timeoutMs` of the
   * connection, or after five minutes. On the system clock, retries take real time.
   */
  flush(): Promise<void>;
  /** Plans what goes wrong with the delivery of the next events. */
  readonly deliveryFaults: Remote<MockWebhooks['deliveryFaults']>;
}

/** The rows of each resource of a mock server. */
export type RemoteCollections = { readonly [Name in keyof MockCollections]: Remote<MockCollections[Name]> };

/** The parts that a mock server and its worlds have in common. */
export interface RemoteParts extends Remote<Pick<Mock, 'inbound' | 'dump' | 'reset'>>, RemoteCollections {
  /** The base URL of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** An API key with every scope, unless the server was started with a different key. */
  readonly apiKey: string;
  /**
   * Options that make a client of `@confab/client` use the mock. They contain no clock: the client waits in real time, even
   * if the mock has a virtual clock.
   *
   * @example
   * ```ts
   * const confab = createClient(mock.clientOptions);
   * ```
   */
  readonly clientOptions: Pick<MockClientOptions, 'baseUrl' | 'apiKey' | 'dangerouslyAllowBrowser'>;
  /** The API keys. */
  readonly keys: Remote<Mock['keys']>;
  /** The time that the service, its rate limits and its webhooks follow. */
  readonly clock: Remote<Pick<Mock['clock'], 'now' | 'advance' | 'set'>>;
  /** Plans what goes wrong with requests. */
  readonly faults: RemoteFaults;
  /** Delivers events to endpoints. */
  readonly webhooks: RemoteWebhooks;
  /** The log of the requests that the mock received. */
  readonly requests: Remote<Omit<Mock['requests'], typeof Symbol.iterator>>;
  /**
   * Saves the state of the mock, to restore it later. The server keeps up to 100 snapshots.
   *
   * @throws A {@link MockError} `INVALID_ARGUMENT`, when the server keeps too many snapshots.
   */
  snapshot(): Promise<RemoteSnapshot>;
  /**
   * Restores a snapshot of this mock, and abandons the requests and deliveries that are in progress.
   *
   * @throws A {@link MockError} `INVALID_ARGUMENT`, when the server has no such snapshot.
   */
  restore(snapshot: Pick<RemoteSnapshot, 'id'>): Promise<void>;
  /** Lists the snapshots that the server keeps. */
  snapshots(): Promise<readonly RemoteSnapshot[]>;
  /** Deletes a snapshot from the server, and returns whether it existed. */
  deleteSnapshot(snapshot: Pick<RemoteSnapshot, 'id'>): Promise<boolean>;
}

/** An isolated world of a mock server. */
export interface RemoteWorld extends RemoteParts {
  /** Its id. */
  readonly id: string;
  /** Deletes the world, and returns whether it still existed. */
  delete(): Promise<boolean>;
  /** Calls {@link RemoteWorld.delete}, for `await using world = await mock.worlds.create()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The isolated worlds of a mock server. */
export interface RemoteWorlds {
  /**
   * Creates a world, with a base URL, key, clock and data of its own.
   *
   * @throws A {@link MockError} `INVALID_ARGUMENT`, when an option is unknown or invalid, or there are too many worlds.
   * @example
   * ```ts
   * import { connectMock } from '@confab/mock/remote';
   *
   * const remote = await connectMock('http://127.0.0.1:4010');
   * await using world = await remote.worlds.create({ data: 'demo' });
   * const confab = createClient({ baseUrl: world.baseUrl, apiKey: world.apiKey });
   * ```
   */
  create(options?: RemoteWorldOptions): Promise<RemoteWorld>;
  /** Lists the worlds, oldest first. */
  list(): Promise<readonly ListedWorld[]>;
  /** Deletes a world by its id, and returns whether it existed. */
  delete(id: string): Promise<boolean>;
}

/** The asynchronous twin of `Mock`, with which a test controls a mock server in a different process. */
export interface RemoteMock extends RemoteParts {
  /** The isolated worlds of the server. */
  readonly worlds: RemoteWorlds;
}
