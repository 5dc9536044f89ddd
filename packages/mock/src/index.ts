/**
 * The whole service in memory, reached in-process or through msw.
 *
 * @packageDocumentation
 */

export { createMock } from './create-mock.ts';
export type { MockErrorCode } from './errors/mock-error.ts';
export { CollectionError, MockClosedError, MockError } from './errors/mock-error.ts';
export type { MockFetch } from './hosts/fetch.ts';
export type { Inspection, InspectOptions } from './inspect.ts';
export type { AnyMock, Asserted } from './matchers/any-mock.ts';
export type { MissedOptions } from './matchers/expect-nothing-missed.ts';
export { expectNothingMissed } from './matchers/expect-nothing-missed.ts';
export type { Mock, MockClientOptions, MockCollections } from './mock.ts';
export type { Behavior, Codes, SearchMatch, UncodedStatus } from './world/behavior.ts';
export type { Clock, SleepPurpose } from './world/clock/clock.ts';
export type {
  Fault,
  FaultFunction,
  FaultPlan,
  FaultRequest,
  FaultTarget,
  PlannedFault,
} from './world/faults/fault.ts';
export type { MockFaults } from './world/faults/request-faults.ts';
export type { Inbound, InboundResult } from './world/inbound.ts';
export type { CreatedKey, KeyInit, ListedKey, MockKeys } from './world/keys/keys.ts';
export type { RateLimit } from './world/keys/rate-limit-option.ts';
export type { LoggedRequest } from './world/log/logged-request.ts';
export type { RequestExpectation, RequestPattern } from './world/log/pattern.ts';
export type { RequestPage, RequestQuery } from './world/log/query.ts';
export type { MockRequests } from './world/log/request-log.ts';
export type { FaultMatch, RequestMatch } from './world/matching/request-match.ts';
export type { MockOptions } from './world/options.ts';
export type { StoredLead } from './world/resources/leads.ts';
export type { MessageInit } from './world/resources/messages.ts';
export type { Pipeline } from './world/resources/pipelines.ts';
export type { MockInits, MockRows } from './world/resources/resources.ts';
export type { Snapshot } from './world/snapshot.ts';
export type { Changes, MockCollection, Where } from './world/store/collection.ts';
export type { Condition, Query } from './world/store/condition.ts';
export type { CompleteMockData, MockData } from './world/store/store.ts';
export type { MockFields, MockRow } from './world/store/table.ts';
export type { Attempt, Delivery, EventNames, StatusChange } from './world/webhooks/delivery.ts';
export type {
  DeliveryFault,
  DeliveryMatch,
  MockDeliveryFaults,
  PlannedDeliveryFault,
} from './world/webhooks/delivery-faults.ts';
export type { Endpoint, ListedEndpoint } from './world/webhooks/endpoints.ts';
export type { MockWebhooks } from './world/webhooks/outbox.ts';
export type { Latency, MockReply, Respond } from './world/world.ts';
