import { unknownNames } from '@confab/internal';
import { meantName } from '../contract/meant-name.ts';
import { ConfigurationError } from '../errors/index.ts';

/** Begins the sentence: `createClient has no option`, or `\`retry\` has no field`. */
const ownerOf = (kind: string): string => {
  const [noun, owner] = kind.split(' of ');
  return noun === 'option' ? `${owner} has no option` : `\`${owner}\` has no ${noun}`;
};

/**
 * Checks that options are an object without misspelled names, which only TypeScript would catch.
 *
 * @param kind One of them, as messages call it: `option of leads.get`.
 * @throws {@link ConfigurationError} When a name is unknown; the message suggests the closest one.
 */
export const checkNames = (kind: string, given: unknown, known: readonly string[]): void => {
  const problem = unknownNames(kind, given, known, meantName, (name) => `${ownerOf(kind)} ${name}`);
  if (problem !== undefined) {
    throw new ConfigurationError(problem);
  }
};
