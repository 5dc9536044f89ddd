/**
 * The whole service in memory: in-process, or through msw.
 *
 * @packageDocumentation
 */

export { createMock } from './create-mock.ts';
export { CollectionError } from './errors/collection-error.ts';
export { MockClosedError } from './errors/mock-closed-error.ts';
export type { MockErrorCode } from './errors/mock-error.ts';
export { MockError } from './errors/mock-error.ts';
export type { MockFetch } from './hosts/create-fetch.ts';
export type { Inbound, InboundResult } from './inbound.ts';
export type { Inspection, InspectOptions } from './inspection.ts';
export type { Mock, MockClientOptions, MockCollection, MockWebhooks } from './mock.ts';
export type { MockOptions } from './setup/mock-options.ts';
export type { MockRow } from './sorted/order.ts';
export type { Behavior, Codes, SearchMatch } from './world/behavior.ts';
export type { Clock, SleepPurpose } from './world/clock/clock.ts';
export type { Fault, FaultFunction, FaultRequest, FaultTarget, PlannedFault } from './world/faults/fault.ts';
export type { KeyInit } from './world/keys/key-init.ts';
export type { CreatedKey, ListedKey } from './world/keys/keys.ts';
export type { RateLimit } from './world/keys/rate-limit.ts';
export type { LoggedRequest } from './world/log/logged-request.ts';
export type { RequestExpectation, RequestPattern } from './world/log/request-pattern.ts';
export type { RequestPage, RequestQuery } from './world/log/request-query.ts';
export type { Snapshot } from './world/snapshot.ts';
export type { Changes, MockFields, Where } from './world/store/collection.ts';
export type { CountryCode } from './world/store/country-code.ts';
export type { Pipeline, StoredLead } from './world/store/rows.ts';
export type { CompleteMockData, MessageInit, MockData } from './world/store/store.ts';
export type { Attempt, Delivery, EventNames, StatusChange } from './world/webhooks/delivery.ts';
export type { DeliveryFault } from './world/webhooks/delivery-fault.ts';
export type { Endpoint } from './world/webhooks/endpoint.ts';
export type { ListedEndpoint } from './world/webhooks/endpoints.ts';
export type { Latency, MockReply, Respond } from './world/world.ts';
