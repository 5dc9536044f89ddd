import { closestName, unknownNames } from '@confab/internal';

/**
 * Refuses a misspelled name, which would otherwise change nothing, and nobody would notice.
 *
 * @param kind What the names are: `option of createMock()`.
 * @throws {TypeError} For a name that is not known, and for anything that is no object with names.
 */
export const checkNames = (kind: string, given: unknown, known: readonly string[]): void => {
  const problem = unknownNames(kind, given, known);
  if (problem !== undefined) {
    throw new TypeError(problem);
  }
};

/**
 * Refuses a word that is not one of a few.
 *
 * @param kind What the word is: `clock`.
 * @throws {TypeError} For any other value.
 */
export const checkWord = (kind: string, given: unknown, known: readonly string[]): void => {
  if (known.some((word) => word === given)) {
    return;
  }
  const meant = typeof given === 'string' ? closestName(given, known) : undefined;
  const hint = meant === undefined ? `Known: ${known.join(', ')}.` : `Did you mean ${JSON.stringify(meant)}?`;
  throw new TypeError(`Unknown ${kind} ${JSON.stringify(given) ?? String(given)}. ${hint}`);
};
