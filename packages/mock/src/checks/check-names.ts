import { closestName, unknownNames } from '@confab/internal';
import { invalidArgument } from '../errors/invalid-argument.ts';

/**
 * Refuses misspelled names, which would otherwise be ignored silently.
 *
 * @param kind What a name is called: `option of createMock()`.
 * @throws {@link MockError} `INVALID_ARGUMENT`, when a name is unknown, or the value is not an object.
 */
export const checkNames = (kind: string, given: unknown, known: readonly string[]): void => {
  const problem = unknownNames(kind, given, known);
  if (problem !== undefined) {
    throw invalidArgument(problem);
  }
};

/**
 * Refuses a word that is not one of a few.
 *
 * @param kind What the word is called: `clock`.
 * @throws {@link MockError} `INVALID_ARGUMENT`, when it is any other value.
 */
export const checkWord = (kind: string, given: unknown, known: readonly string[]): void => {
  if (known.some((word) => word === given)) {
    return;
  }
  const meant = typeof given === 'string' ? closestName(given, known) : undefined;
  const hint = meant === undefined ? `Known: ${known.join(', ')}.` : `Did you mean ${JSON.stringify(meant)}?`;
  throw invalidArgument(`Unknown ${kind} ${JSON.stringify(given) ?? String(given)}. ${hint}`);
};
