import { unknownNames } from '@confab/internal';
import { ConfigurationError } from '../errors/index.ts';

/**
 * Refuses options that are not an object, and misspelled ones, which only TypeScript would catch.
 *
 * @param kind What each of them is: `option of leads.get`.
 * @throws {@link ConfigurationError} When there is such a problem. The message suggests the name that was meant.
 */
export const checkNames = (kind: string, given: unknown, known: readonly string[]): void => {
  const problem = unknownNames(kind, given, known);
  if (problem !== undefined) {
    throw new ConfigurationError(problem);
  }
};
