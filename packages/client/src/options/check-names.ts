import { unknownNames } from '@confab/internal';
import { typeName } from '../contract/issues.ts';
import { ConfigurationError } from '../errors/index.ts';

/**
 * Refuses options that are no object, and misspelled ones, which types catch in TypeScript alone.
 *
 * @param name What they are called: `options`.
 * @param kind What each of them is: `option of leads.get`.
 * @throws {@link ConfigurationError} with the name that was probably meant.
 */
export const checkNames = (name: string, kind: string, given: unknown, known: readonly string[]): void => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new ConfigurationError(`\`${name}\` must be an object, not ${typeName(given)}.`);
  }
  const problem = unknownNames(kind, given, known);
  if (problem !== undefined) {
    throw new ConfigurationError(problem);
  }
};
