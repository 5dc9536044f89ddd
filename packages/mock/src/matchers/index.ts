/**
 * Matchers about what a mock has received, for any test runner.
 *
 * @packageDocumentation
 */

export type { Asserted } from './any-mock.ts';
export type { Verdict, Wanted } from './judge.ts';
export type { OrderedRequest, ReceivedOptions } from './matchers.ts';
export { matchers } from './matchers.ts';
export type { MockMatchers } from './mock-matchers.ts';
export type { RunnerState } from './runner.ts';
