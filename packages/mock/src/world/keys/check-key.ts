import { operations } from '@confab/client/contract';
import { closestName, namesOf, typeName } from '@confab/internal';
import { checkNames } from '../../checks/check-names.ts';
import { invalidArgument } from '../../errors/invalid-argument.ts';
import type { KeyInit } from './key-init.ts';
import type { RateLimit } from './rate-limit.ts';

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
