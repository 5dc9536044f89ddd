/// <reference lib="esnext.disposable" preserve="true" />
import type { HttpHandler } from 'msw/http';
import type { MockFetch } from './hosts/fetch.ts';
import type { Inspection, InspectOptions } from './inspect.ts';
import type { Clock } from './world/clock/clock.ts';
import type { MockFaults } from './world/faults/request-faults.ts';
import type { Inbound, InboundResult } from './world/inbound.ts';
import type { MockKeys } from './world/keys/keys.ts';
import type { MockRequests } from './world/log/request-log.ts';
import type { MockInits, MockRows } from './world/resources/resources.ts';
import type { Snapshot } from './world/snapshot.ts';
import type { MockCollection } from './world/store/collection.ts';
import type { CompleteMockData } from './world/store/store.ts';
import type { MockWebhooks } from './world/webhooks/outbox.ts';

/** The rows of each resource. */
export type MockCollections = {
  readonly [Name in keyof MockRows]: MockCollection<MockRows[Name], MockInits[Name]>;
};

/** Options that make a client of `@confab/client` use a mock. */
export interface MockClientOptions {
  /** {@link Mock.baseUrl}. */
  readonly baseUrl: string;
  /** {@link Mock.apiKey}. */
  readonly apiKey: string;
  /** {@link Mock.fetch}. */
  readonly fetch: MockFetch;
  /** {@link Mock.clock}. A restore or reset moves it ahead, so that no client remembers a later time. */
  readonly clock: Clock;
  /** Allowed, because the key is valid only for the mock. Under jsdom and happy-dom, every test runs in a page. */
  readonly dangerouslyAllowBrowser: true;
}

/** The service in memory, under the control of a test. */
export interface Mock extends MockCollections {
  /** The base URL of the service, without a trailing slash. */
  readonly baseUrl: string;
  /**
   * An API key with every scope. It depends on the seed, except while `serve()` listens on an address beyond loopback, for
   * which it creates a random one.
   */
  readonly apiKey: string;
  /**
   * A replacement for `fetch` that sends every request to this mock. Nothing global is changed.
   *
   * @throws A {@link MockError} `WRONG_ORIGIN`, when the origin of the URL is not that of `baseUrl`.
   * @throws A {@link MockClosedError} when the mock is closed.
   * @throws A {@link TypeError} when a fault, a restore or a reset breaks the connection.
   * @example
   * ```ts
   * await mock.fetch(`${mock.baseUrl}/api/v2/public/agents`, { headers: { 'x-api-key': mock.apiKey } });
   * ```
   */
  readonly fetch: MockFetch;
  /**
   * Options that make a client of `@confab/client` send its requests to this mock, and wait on its clock.
   *
   * @example
   * ```ts
   * const confab = createClient(mock.clientOptions);
   * ```
   */
  readonly clientOptions: MockClientOptions;
  /**
   * Request handlers for msw. They handle the requests below `/api/v2/public` of `baseUrl`, and CORS preflights.
   * All other requests pass through.
   *
   * @example
   * ```ts
   * const server = setupServer(...mock.handlers);
   * ```
   */
  readonly handlers: readonly HttpHandler[];
  /** The API keys. */
  readonly keys: MockKeys;
  /** The clock that the service, its rate limits and its webhooks follow. */
  readonly clock: Clock;
  /** Plans what goes wrong with requests. */
  readonly faults: MockFaults;
  /** Delivers events to endpoints. */
  readonly webhooks: MockWebhooks;
  /** The log of the requests that the mock received, in the order in which they ended. */
  readonly requests: MockRequests;
  /**
   * Simulates a message from a lead. Creates the lead, conversation and message as needed, and emits `message.created`;
   * await `webhooks.flush()` for its delivery.
   *
   * @throws A {@link MockError} `INVALID_ARGUMENT`, when neither or both of `phone` and `conversationId` are given, or
   * no conversation has that id.
   * @throws A {@link CollectionError} when the phone number is invalid.
   * @throws A {@link MockClosedError} when the mock is closed.
   * @example
   * ```ts
   * const { conversation } = await mock.inbound({ phone: '+5511987654321', body: 'Hello' });
   * ```
   */
  inbound(inbound: Inbound): Promise<InboundResult>;
  /** Returns every row, oldest first, in the shape of the option `data`. */
  dump(): CompleteMockData;
  /**
   * Saves the state of the mock, to restore it later. It copies no rows, so it takes the same time for any number of them.
   *
   * @example
   * ```ts
   * const before = mock.snapshot();
   * mock.restore(before);
   * ```
   */
  snapshot(): Snapshot;
  /**
   * Restores a snapshot of this mock, and abandons the requests and deliveries that are in progress.
   *
   * @throws A {@link MockError} `INVALID_ARGUMENT`, when it is not a snapshot of this mock.
   * @throws A {@link MockClosedError} when the mock is closed.
   */
  restore(snapshot: Snapshot): void;
  /**
   * Restores the state in which `createMock` returned the mock.
   *
   * @throws A {@link MockClosedError} when the mock is closed.
   */
  reset(): void;
  /**
   * Serves the inspector of this mock on a port of this machine, so that you can look at the mock in a browser while a test
   * or a program runs. It needs Node, Deno or Bun, and prints nothing.
   *
   * @throws A {@link MockError} `INVALID_ARGUMENT`, when an option is unknown or invalid.
   * @throws A {@link MockError} `CANNOT_LISTEN`, when the port is in use, or the runtime can't listen on one.
   * @throws A {@link MockClosedError} when the mock is closed.
   * @example
   * ```ts
   * await using inspector = await mock.inspect({ port: 4011 });
   * console.log(inspector.url);
   * ```
   */
  inspect(options?: InspectOptions): Promise<Inspection>;
  /**
   * Closes the mock: aborts its requests, waits and deliveries, and closes its servers. Afterward, the mock does not keep
   * the process alive. Closing it again has no effect.
   *
   * Rows, `requests` and `deliveries` can still be read. Anything that would start new work, such as `fetch`, `inbound` or
   * `clock.sleep`, fails with {@link MockClosedError}; through msw, requests fail like a broken connection.
   *
   * @example
   * ```ts
   * await mock.close();
   * ```
   */
  close(): Promise<void>;
  /** Calls {@link Mock.close}, for `await using mock = createMock()`. */
  [Symbol.asyncDispose](): Promise<void>;
}
