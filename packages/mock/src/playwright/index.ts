/**
 * Lets a mock respond to the requests of a page in Playwright.
 *
 * @packageDocumentation
 */

export type { Verdict } from '../matchers/judge.ts';
export type { AnyMock } from '../matchers/read-mock.ts';
export type { Wanted } from '../matchers/wanted.ts';
export type { RetryingMatchers } from './expect.ts';
export { expect } from './expect.ts';
export type { Fulfillment, RoutedRequest } from './respond-to.ts';
export type { RoutedRoute, RoutedSocket, RouteTarget } from './route-mock.ts';
export { routeMock } from './route-mock.ts';
export type { PlaywrightFixtures, PlaywrightOptions } from './test.ts';
export { test } from './test.ts';
