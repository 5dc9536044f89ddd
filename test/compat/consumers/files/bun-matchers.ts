import type { MockMatchers } from '@confab/mock/matchers';

declare module 'bun:test' {
  interface Matchers<T> extends MockMatchers<void, T> {}
}
