import { unknownNames } from '@confab/internal';
import { ConfigurationError } from '../errors/index.ts';

/**
 * Checks that options are an object without misspelled names, which only TypeScript would catch.
 *
 * @param kind One of them, as messages call it: `option of leads.get`.
 * @throws {@link ConfigurationError} When a name is unknown; the message suggests the closest one.
 */
export const checkNames = (kind: string, given: unknown, known: readonly string[]): void => {
  const problem = unknownNames(kind, given, known);
  if (problem !== undefined) {
    throw new ConfigurationError(problem);
  }
};
