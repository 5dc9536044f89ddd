import { operations } from '@confab/client/contract';
import { optionProblem } from '@confab/internal';
import type { Checks } from '../../errors/check.ts';
import { arrayOf, refuse, unknownWord } from '../../errors/check.ts';
import type { RateLimit } from './rate-limit.ts';
import { rateLimitWith } from './rate-limit.ts';

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

/** The scopes of the contract. */
export const CONTRACT_SCOPES: readonly string[] = [
  ...new Set(Object.values(operations).map(({ scope }) => scope)),
];

/**
 * Checks what a key is created with. No message contains the key.
 *
 * @param known The scopes that operations require.
 * @throws {@link MockError} `INVALID_ARGUMENT`, when a field is unknown or its value invalid.
 */
export const checkKey = (init: KeyInit, known: readonly string[]): void => {
  const checks: Checks<KeyInit> = {
    // It is sent in a header: fetch refuses anything else, with a message that doesn't help.
    key: (name, key) =>
      typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)
        ? undefined
        : `\`${name}\` must consist of visible ASCII characters, without spaces`,
    scopes: arrayOf("an array, such as ['read:leads']", (_, scope) => unknownWord('scope', scope, known)),
    rateLimit: rateLimitWith(),
  };
  refuse(optionProblem('key field', init, checks, { prefix: 'key.' }));
};
