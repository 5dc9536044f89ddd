import type { RateLimit } from './rate-limit.ts';

/** The options of {@link Mock.keys}`.create()`. */
export interface KeyInit {
  /**
   * The key itself.
   * @default a new key: `confab_live_<random>`
   */
  readonly key?: string | undefined;
  /**
   * What the key may do: `read:leads`, `write:conversations`, … A scope that no operation requires is refused as a
   * misspelling; the option `scopes` of `createMock` adds scopes.
   * @default every scope that an operation requires
   */
  readonly scopes?: readonly string[] | undefined;
  /**
   * Requests per minute, or `{ requests, perMs }`.
   * @default the `rateLimit` of the mock
   */
  readonly rateLimit?: number | RateLimit | undefined;
}
