import type { PaginationMeta } from '@confab/client/contract';
import type { Stream } from '../http/send.ts';
import type { FaultPlan } from '../world/faults/fault.ts';
import type { Inbound, InboundResult } from '../world/inbound.ts';
import type { CreatedKey, KeyInit, ListedKey } from '../world/keys/keys.ts';
import type { LoggedRequest } from '../world/log/logged-request.ts';
import type { RequestExpectation, RequestPattern } from '../world/log/pattern.ts';
import type { RequestQuery } from '../world/log/query.ts';
import type { MockInits, MockRows } from '../world/resources/resources.ts';
import type { MockFields, MockRow } from '../world/store/table.ts';
import type { Delivery } from '../world/webhooks/delivery.ts';
import type { DeliveryFaultPlan, PlannedDeliveryFault } from '../world/webhooks/delivery-faults.ts';
import type {
  CreatedWorld,
  ListedWorld,
  RemoteEndpoint,
  RemoteListedEndpoint,
  RemotePlannedFault,
  RemoteSnapshot,
  RemoteWorldOptions,
} from './remote-types.ts';

/** The part of a list to return. */
interface Paging {
  /**
   * The length of the page, from 1 to 10,000.
   * @default 1_000
   */
  readonly limit?: number;
  /**
   * How many entries to skip.
   * @default 0
   */
  readonly offset?: number;
}

/** The part of a collection to return. */
interface RowQuery extends Paging {
  /** Field values as a JSON object, which can contain null: `{"leadId":null}`. */
  readonly where?: string;
  /** A text that any field of a row contains, ignoring case. */
  readonly search?: string;
}

/** The deliveries to return. */
interface DeliveryQuery extends Paging {
  /** Only deliveries of this event. */
  readonly event?: string;
  /** Only deliveries in this state. */
  readonly state?: Delivery['state'];
}

/** The position of a page of deliveries. */
interface DeliveryMeta extends PaginationMeta {
  /** The known events, if no delivery has the event of the query. */
  readonly hint?: string;
}

/** The faults that are no longer planned. */
interface FaultMeta {
  /** The latest faults that were planned once and have been used. */
  readonly usedUp: readonly RemotePlannedFault[];
}

/** A move of the clock, by or to a time: exactly one of the fields. */
interface ClockMove {
  /** Milliseconds to move by. */
  readonly advance?: number;
  /** The date to move to: an RFC 3339 date-time, a day, or milliseconds since 1970. */
  readonly set?: string | number;
}

/** The time of a mock. */
export interface MockTime {
  /** An RFC 3339 date-time. */
  readonly now: string;
}

/** The clock of a mock. */
export interface MockClock extends MockTime {
  /** Whether time passes only when it is moved, or by itself. */
  readonly kind: 'virtual' | 'system';
}

/** An event to emit. */
interface EmittedEvent {
  /** The name of the event. */
  readonly event: string;
  /**
   * The data of the event.
   * @default {}
   */
  readonly data?: unknown;
}

/** A control endpoint. */
export interface ControlEndpoint {
  /** The HTTP method. */
  readonly method: string;
  /** The path, with the names of its parameters in braces. */
  readonly path: string;
  /** What it does, in a sentence. */
  readonly description: string;
}

/** An object with an id. */
interface Identified {
  /** Its id. */
  readonly id: string;
}

/** The result of a deletion. */
interface Deleted {
  /** Always true: the status is 404 if there was nothing to delete. */
  readonly deleted: true;
}

/** A number of requests. */
interface Count {
  /** How many requests match. */
  readonly count: number;
}

/** The operations on the rows of one collection. In summaries, `{collection}` is its name, and `{noun}` that of a row. */
interface RowOperations<Row extends MockRow, Init extends object> {
  /** Lists the {collection} with these values, newest first. */
  'rows.find': {
    query: { readonly [Name in keyof Row]?: string } & RowQuery;
    data: readonly Row[];
    meta: PaginationMeta;
  };
  /** Creates a {noun}. Fields that are left out get a default; no event is emitted. */
  'rows.create': { body: Init; data: Row };
  /** Returns a {noun}. */
  'rows.get': { data: Row };
  /** Changes some fields of a {noun}; no event is emitted. */
  'rows.update': { body: MockFields<Row>; data: Row };
  /** Deletes a {noun}. */
  'rows.delete': { data: Deleted };
}

/** The operations on the rows of each collection. */
type CollectionOperations = {
  readonly [Name in keyof MockRows]: RowOperations<MockRows[Name], MockInits[Name]>;
};

/**
 * The control operations, each with the types of its query, its body and its result: `data`, `meta`, `document` or
 * `stream`. An operation without any of these is an `object`. The handlers and the remote client get their types from this
 * table, and a script writes the OpenAPI document from it: the first paragraph of a comment becomes the summary, and
 * `@throws` describes a refusal that only this operation has.
 */
export interface ControlOperations extends RowOperations<MockRow, object> {
  /** Checks that the server listens. Needs no token. */
  health: { data: { readonly status: 'ok' } };
  /** Lists the control endpoints. */
  index: { data: { readonly endpoints: readonly ControlEndpoint[] } };
  /** Returns the OpenAPI document of the control endpoints. */
  openapi: { document: object };
  /**
   * Returns the OpenAPI document of the API, with existing rows as examples.
   *
   * Tools that send the examples get successful responses. `/openapi.json` is the same document with made-up examples, and
   * needs no token.
   */
  api: { document: object };
  /**
   * Reports requests, deliveries, changed rows and the time as server-sent events.
   *
   * The events are `request`, `delivery`, `rows` with { collection, ids, more }, `clock` with { now }, and `restored` after a
   * reset or a restored snapshot. A caller that leaves more than 1 MiB unread is disconnected, and the 101st listener of a
   * server gets a 503.
   */
  events: { stream: Stream };
  /** Returns the base URL, the key and the clock of the mock, for a client. */
  info: {
    data: {
      readonly baseUrl: string;
      readonly apiKey: string;
      /** The id of the key, unless it was revoked. */
      readonly apiKeyId: string | undefined;
      readonly clock: MockClock;
    };
  };
  /** Returns all rows. */
  state: { data: { readonly [Name in keyof MockRows]: CollectionOperations[Name]['rows.find']['data'] } };
  /** Returns the requests of the log, oldest first. */
  'requests.list': { query: RequestQuery; data: readonly LoggedRequest[]; meta: PaginationMeta };
  /** Counts the requests that match a pattern. */
  'requests.count': { body: RequestPattern; data: Count };
  /**
   * Checks that the expected number of requests match a pattern, and responds with 422 otherwise.
   *
   * @throws A {@link Refusal} 422, when too few or too many requests match; `error` describes the latest one.
   */
  'requests.verify': { body: RequestExpectation; data: Count };
  /** Removes all requests from the log. */
  'requests.clear': object;
  /** Returns the deliveries, oldest first. */
  'deliveries.list': { query: DeliveryQuery; data: readonly Delivery[]; meta: DeliveryMeta };
  /** Redelivers an event, with the same body and signed id. */
  'deliveries.redeliver': { data: Delivery };
  /** Simulates a message from a lead, and emits its event. */
  inbound: { body: Inbound; data: InboundResult };
  /** Lists the keys, oldest first, by their ids: the keys themselves are left out. */
  'keys.list': { data: readonly ListedKey[] };
  /** Creates a key. */
  'keys.create': { body: KeyInit; data: CreatedKey };
  /** Revokes a key. `key` is the key or its id. */
  'keys.revoke': { body: { readonly key: string }; data: { readonly revoked: true } };
  /** Lists the planned faults. */
  'faults.list': { data: readonly RemotePlannedFault[]; meta: FaultMeta };
  /** Plans a fault for the next request of an operation, or for all its requests. */
  'faults.plan': { body: FaultPlan; data: Identified };
  /** Removes all planned faults. */
  'faults.clear': object;
  /** Removes a planned fault. */
  'faults.remove': { data: Deleted };
  /** Returns the time on the clock of the mock, and whether it passes by itself. */
  'clock.get': { data: MockClock };
  /** Moves the virtual clock forward, by milliseconds or to a date. */
  'clock.move': { body: ClockMove; data: MockTime };
  /** Lists the endpoints that events are delivered to, without their secrets. */
  'webhooks.list': { data: readonly RemoteListedEndpoint[] };
  /** Adds an endpoint, to which all events from now on are delivered. */
  'webhooks.add': { body: RemoteEndpoint; data: Identified };
  /** Removes an endpoint. Deliveries to it that are in progress go on. */
  'webhooks.remove': { data: Deleted };
  /** Delivers an event to every endpoint, such as an event that no operation emits. */
  'webhooks.emit': { body: EmittedEvent };
  /**
   * Responds once every delivery is delivered or has failed, or with 409 if that takes too long.
   *
   * @throws A {@link Refusal} 409, when deliveries are still pending; `error` says how many, and when the next attempt
   * is due.
   */
  'webhooks.flush': {
    query: {
      /**
       * Milliseconds of real time to wait, up to 300,000.
       * @default 10_000
       */
      readonly timeoutMs?: number;
    };
  };
  /** Plans what goes wrong with the delivery of the next event, or of all events. */
  'deliveryFaults.plan': { body: DeliveryFaultPlan; data: Identified };
  /** Lists the planned faults of deliveries. */
  'deliveryFaults.list': { data: readonly PlannedDeliveryFault[] };
  /** Removes a planned fault of deliveries. */
  'deliveryFaults.remove': { data: Deleted };
  /** Removes all planned faults of deliveries. */
  'deliveryFaults.clear': object;
  /** Lists the snapshots that were taken and not deleted. */
  'snapshots.list': { data: readonly RemoteSnapshot[] };
  /** Saves the state of the mock. This costs the same for any number of rows. */
  'snapshots.take': { data: RemoteSnapshot };
  /** Restores a snapshot, and abandons the requests and deliveries that are in progress. */
  'snapshots.restore': { data: MockTime };
  /** Deletes a snapshot. */
  'snapshots.delete': { data: Deleted };
  /** Restores the state from when the server started, or the world was created. */
  reset: { data: MockTime };
  /** Lists the worlds, oldest first. */
  'worlds.list': { data: readonly ListedWorld[] };
  /** Creates an isolated world, with a base URL, key, clock and data of its own. */
  'worlds.create': { body: RemoteWorldOptions; data: CreatedWorld };
  /** Deletes a world, and abandons everything that is in progress in it. */
  'worlds.delete': { data: Deleted };
}

/** The type of a part of an operation, such as its body; `object` if the operation has no such part. */
export type PartOf<Id extends keyof ControlOperations, Part extends string> = ControlOperations[Id] extends {
  readonly [Name in Part]: infer Value;
}
  ? Value
  : object;
