import type { MockMatchers } from '@confab/mock/matchers';

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends MockMatchers<R, T> {}
}
