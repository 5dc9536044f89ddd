import { operations } from '@confab/client/contract';
import { closestName, optionProblem, typeName } from '@confab/internal';
import type { Check, Checks } from '../../errors/check.ts';
import { refuse, shown } from '../../errors/check.ts';
import { invalidArgument } from '../../errors/mock-error.ts';
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

const SCOPE = /^(?:read|write):[a-z][a-z0-9_-]*$/;

const EXAMPLE = "{ key: 'my_key', scopes: ['read:leads'] }";

/** The scopes of the contract. */
export const CONTRACT_SCOPES: readonly string[] = [
  ...new Set(Object.values(operations).map(({ scope }) => scope)),
];

/** @throws {@link MockError} `INVALID_ARGUMENT`, when a scope has another form than those of the API. */
export const checkScopeForm = (scope: unknown): void => {
  if (typeof scope !== 'string' || !SCOPE.test(scope)) {
    throw invalidArgument(`A scope must be read:<resource> or write:<resource>, got ${shown(scope)}`);
  }
};

const scopesProblem = (scopes: unknown, known: readonly string[]): string | undefined => {
  if (!Array.isArray(scopes)) {
    return `The \`scopes\` of a key must be an array, such as ['read:leads'], got ${typeName(scopes)}`;
  }
  scopes.forEach(checkScopeForm);
  const unknown = scopes.find((scope) => !known.includes(scope));
  if (unknown === undefined) {
    return undefined;
  }
  const meant = closestName(unknown, known);
  const hint = meant === undefined ? `Known: ${known.join(', ')}.` : `Did you mean "${meant}"?`;
  return `No operation requires the scope ${JSON.stringify(unknown)}. ${hint}`;
};

/**
 * Checks what a key is created with. No message contains the key.
 *
 * @param known The scopes that operations require.
 * @throws {@link MockError} `INVALID_ARGUMENT`, when a field is unknown or its value invalid.
 */
export const checkKey = (init: KeyInit, known: readonly string[]): void => {
  if (typeName(init) !== 'an object') {
    throw invalidArgument(`A key must be created from an object, such as ${EXAMPLE}, got ${typeName(init)}`);
  }
  const checks: Checks<KeyInit> = {
    // It is sent in a header: fetch refuses anything else, with a message that doesn't help.
    key: (_, key) =>
      typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)
        ? undefined
        : 'A key must consist of visible ASCII characters, without spaces',
    scopes: (_, scopes) => scopesProblem(scopes, known),
    rateLimit: rateLimitWith(),
  };
  refuse(optionProblem('key field', init, checks, { prefix: 'key.' }));
};

/** Accepts an array of objects for keys. */
export const isKeys: Check = (name, keys) => {
  if (!Array.isArray(keys)) {
    return `\`${name}\` must be an array, such as [${EXAMPLE}], got ${typeName(keys)}`;
  }
  const at = keys.findIndex((key) => typeName(key) !== 'an object');
  return at === -1
    ? undefined
    : `\`${name}[${at}]\` must be an object, such as ${EXAMPLE}, got ${typeName(keys[at])}`;
};
