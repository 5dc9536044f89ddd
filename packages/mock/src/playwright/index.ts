/**
 * Lets a mock respond to the requests of a page in Playwright.
 *
 * @packageDocumentation
 */

export type { AnyMock } from '../matchers/any-mock.ts';
export type { MissedOptions } from '../matchers/expect-nothing-missed.ts';
export type { Verdict, Wanted } from '../matchers/judge.ts';
export type { OrderedRequest, ReceivedOptions } from '../matchers/matchers.ts';
export type { RetryingMatchers } from './expect.ts';
export { expect } from './expect.ts';
export type { PlaywrightFixtures, PlaywrightMissedOptions, PlaywrightOptions } from './fixtures.ts';
export { test } from './fixtures.ts';
export type { Fulfillment, RoutedRequest, RoutedRoute, RouteTarget } from './route-mock.ts';
export { routeMock } from './route-mock.ts';
