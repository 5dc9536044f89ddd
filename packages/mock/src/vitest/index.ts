export type { MockMatchers } from '../matchers/mock-matchers.ts';
export type { Wanted } from '../matchers/wanted.ts';
export type { MockFixtures } from './test.ts';
export { test } from './test.ts';
