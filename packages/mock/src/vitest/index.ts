export type { MockMatchers } from './matchers.ts';
export type { MockFixtures } from './test.ts';
export { test } from './test.ts';
export type { Wanted } from './wanted.ts';
