/**
 * A vitest fixture with a mock and a client for each test, and its matchers.
 *
 * @packageDocumentation
 */

export type { Asserted } from '../matchers/any-mock.ts';
export type { MissedOptions } from '../matchers/expect-nothing-missed.ts';
export type { Wanted } from '../matchers/judge.ts';
export type { OrderedRequest, ReceivedOptions } from '../matchers/matchers.ts';
export type { MockMatchers } from '../matchers/mock-matchers.ts';
export type { MockFixtures } from './fixtures.ts';
export { test } from './fixtures.ts';
