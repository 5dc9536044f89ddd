import type { RateLimit } from '@confab/client';
import { operations } from '@confab/client/contract';
import { closestName, namesOf, typeName } from '@confab/internal';
import { checkNames } from '../../errors/check.ts';
import { invalidArgument } from '../../errors/mock-error.ts';

export type { RateLimit } from '@confab/client';

/**
 * Reads a rate limit as users write it.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when `requests` is not a whole number (0 or more), or `perMs`
 * not positive.
 */
export const toRateLimit = (value: number | RateLimit): RateLimit => {
  const limit = typeof value === 'number' ? { requests: value, perMs: 60_000 } : value;
  const isCount = Number.isInteger(limit.requests) || limit.requests === Number.POSITIVE_INFINITY;
  if (!isCount || limit.requests < 0 || !(limit.perMs > 0) || !Number.isFinite(limit.perMs)) {
    throw invalidArgument(
      `A rate limit must be a whole number of requests per minute, or { requests, perMs }, got ${JSON.stringify(value)}`,
    );
  }
  return limit;
};

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

const FIELDS = namesOf<KeyInit>({ key: true, scopes: true, rateLimit: true });

const RATE_LIMIT = namesOf<RateLimit>({ requests: true, perMs: true });

const SCOPE = /^(?:read|write):[a-z][a-z0-9_-]*$/;

const EXAMPLE = "{ key: 'my_key', scopes: ['read:leads'] }";

/** The scopes of the contract. */
export const CONTRACT_SCOPES: readonly string[] = [
  ...new Set(Object.values(operations).map(({ scope }) => scope)),
];

/** @throws {@link MockError} `INVALID_ARGUMENT`, when a scope has another form than those of the API. */
export const checkScopeForm = (scope: unknown): void => {
  if (typeof scope !== 'string' || !SCOPE.test(scope)) {
    throw invalidArgument(
      `A scope must be read:<resource> or write:<resource>, got ${JSON.stringify(scope)}`,
    );
  }
};

const checkScopes = (scopes: unknown, known: readonly string[]): void => {
  if (!Array.isArray(scopes)) {
    throw invalidArgument(
      `The \`scopes\` of a key must be an array, such as ['read:leads'], got ${typeName(scopes)}`,
    );
  }
  for (const scope of scopes) {
    checkScopeForm(scope);
    if (!known.includes(scope)) {
      const meant = closestName(scope, known);
      const hint = meant === undefined ? `Known: ${known.join(', ')}.` : `Did you mean "${meant}"?`;
      throw invalidArgument(`No operation requires the scope ${JSON.stringify(scope)}. ${hint}`);
    }
  }
};

/**
 * Checks what a key is created with. No message contains the key.
 *
 * @param known The scopes that operations require.
 * @throws {@link MockError} `INVALID_ARGUMENT`, when a field is unknown or its value invalid.
 */
export const checkKey = (init: KeyInit, known: readonly string[]): void => {
  if (typeof init !== 'object' || init === null || Array.isArray(init)) {
    throw invalidArgument(`A key must be created from an object, such as ${EXAMPLE}, got ${typeName(init)}`);
  }
  checkNames('key field', init, FIELDS);
  const { key, scopes, rateLimit } = init;
  if (typeof rateLimit === 'object') {
    checkNames('rateLimit field', rateLimit, RATE_LIMIT);
  }
  if (scopes !== undefined) {
    checkScopes(scopes, known);
  }
  // It is sent in a header: fetch refuses anything else, with a message that doesn't help.
  if (key !== undefined && !(typeof key === 'string' && /^[\x21-\x7e]+$/.test(key))) {
    throw invalidArgument('A key must consist of visible ASCII characters, without spaces');
  }
};

/** @throws {@link MockError} `INVALID_ARGUMENT`, when the option `keys` is not an array of objects. */
export const checkKeys = (keys: unknown): void => {
  if (!Array.isArray(keys)) {
    throw invalidArgument(`\`keys\` must be an array, such as [${EXAMPLE}], got ${typeName(keys)}`);
  }
  const at = keys.findIndex((key) => typeof key !== 'object' || key === null || Array.isArray(key));
  if (at !== -1) {
    throw invalidArgument(`\`keys[${at}]\` must be an object, such as ${EXAMPLE}, got ${typeName(keys[at])}`);
  }
};
