/// <reference lib="esnext.disposable" preserve="true" />
import type { Agent, Conversation, Message } from '@confab/client/contract';
import type { HttpHandler } from 'msw/http';
import type { MockFetch } from './hosts/create-fetch.ts';
import type { Inbound, InboundResult } from './inbound.ts';
import type { MockRow } from './sorted/order.ts';
import type { Clock } from './world/clock/clock.ts';
import type { Faults } from './world/faults/faults.ts';
import type { Keys } from './world/keys/keys.ts';
import type { RequestLog } from './world/log/log.ts';
import type { Snapshot } from './world/snapshot.ts';
import type { Collection, MockFields } from './world/store/collection.ts';
import type { Pipeline, StoredLead } from './world/store/rows.ts';
import type { MessageInit, MockData } from './world/store/store.ts';
import type { Outbox } from './world/webhooks/outbox.ts';

/** The rows of one resource, under the control of a test. */
export type MockCollection<T extends MockRow, Init extends object = MockFields<T>> = Pick<
  Collection<T, Init>,
  'create' | 'get' | 'find' | 'update' | 'delete' | 'count'
>;

/** Delivers events to the endpoints of a mock, and records how. */
export interface MockWebhooks extends Pick<Outbox, 'add' | 'deliveries' | 'emit' | 'flush'> {
  /** Plans what goes wrong with the delivery of the next events. */
  readonly deliveryFaults: Pick<Outbox['deliveryFaults'], 'once' | 'clear'>;
}

/** What `createClient` needs to talk to a mock. */
export interface MockClientOptions {
  /** The base URL of the mock. */
  readonly baseUrl: string;
  /** A key with every scope. */
  readonly apiKey: string;
  /** A `fetch` that the mock responds to. */
  readonly fetch: MockFetch;
  /** The clock of the mock. */
  readonly clock: Clock;
  /** Its key opens nothing but the mock, so a page may hold it; under jsdom and happy-dom every test is in a page. */
  readonly dangerouslyAllowBrowser: true;
}

/** The service in memory, under the control of a test. */
export interface Mock {
  /** Where the service seems to be, without a slash at its end. */
  readonly baseUrl: string;
  /** A key with every scope. */
  readonly apiKey: string;
  /**
   * The platform's `fetch`, answered by this mock; nothing global is touched.
   *
   * @throws {TypeError} For another origin than that of `baseUrl`, and for a network error that was asked for.
   * @example
   * await mock.fetch(`${mock.baseUrl}/api/v2/public/agents`, { headers: { 'x-api-key': mock.apiKey } });
   */
  readonly fetch: MockFetch;
  /**
   * Options that make a client of `@confab/client` talk to this mock, and wait on its clock.
   *
   * @example
   * const confab = createClient(mock.clientOptions);
   */
  readonly clientOptions: MockClientOptions;
  /**
   * Handlers of msw: one an operation, and one that answers all else below `baseUrl` with a JSON 404.
   *
   * @example
   * const server = setupServer(...mock.handlers);
   */
  readonly handlers: readonly HttpHandler[];
  /** The pipelines of the account. */
  readonly pipelines: MockCollection<Pipeline>;
  /** The leads of the account. */
  readonly leads: MockCollection<StoredLead>;
  /** The conversations of the account. */
  readonly conversations: MockCollection<Conversation>;
  /** The messages of all conversations. */
  readonly messages: MockCollection<Message, MessageInit>;
  /** The agents of the account. */
  readonly agents: MockCollection<Agent>;
  /** The API keys. */
  readonly keys: Pick<Keys, 'create' | 'revoke'>;
  /** The clock of the mock. */
  readonly clock: Clock;
  /** Faults to inject into requests. */
  readonly faults: Pick<Faults, 'once' | 'always' | 'clear'>;
  /** The webhook endpoints and the deliveries to them. */
  readonly webhooks: MockWebhooks;
  /** The latest requests, in the order in which they were answered. */
  readonly requests: Pick<RequestLog, 'all' | 'of' | 'list' | 'clear' | 'length' | typeof Symbol.iterator>;
  /**
   * Lets a lead write: lead, conversation and message are made as needed, and `message.created` goes out.
   * Await `webhooks.flush()` for its delivery.
   *
   * @throws {TypeError} Without `phone` and `conversationId`, with both, or for an unknown conversation.
   * @example
   * const { conversation } = await mock.inbound({ phone: '+5511987654321', body: 'Hello' });
   */
  inbound(inbound: Inbound): Promise<InboundResult>;
  /** Every row, in the form that the option `data` takes. */
  dump(): Required<MockData>;
  /**
   * The world as it is, to go back to. It costs the same for any number of rows.
   *
   * @example
   * const before = mock.snapshot();
   * mock.restore(before);
   */
  snapshot(): Snapshot;
  /**
   * Goes back to a snapshot of this mock; deliveries on their way are abandoned.
   *
   * @throws {TypeError} For the snapshot of another mock.
   */
  restore(snapshot: Snapshot): void;
  /** Goes back to how `createMock` made it. */
  reset(): void;
  /**
   * Ends the mock: requests and waits that are under way break off, deliveries that are not over are given up, and
   * servers that serve it are closed. Nothing of it keeps the process alive after that. Calling it again changes nothing.
   *
   * Rows, `requests` and `deliveries` can still be read. What would start something, such as `fetch`, `inbound` or
   * `clock.sleep`, fails with {@link MockClosedError}; through msw, requests fail like a broken connection.
   *
   * @example
   * ```ts
   * await mock.close();
   * ```
   */
  close(): Promise<void>;
  /** Does what {@link Mock.close} does: `await using mock = createMock()`. */
  [Symbol.asyncDispose](): Promise<void>;
}
