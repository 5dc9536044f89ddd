import { closestName } from './closest-name.ts';

/** All names of a type, checked by the compiler: one that is missing here, or too many, does not compile. */
export const namesOf = <T extends object>(names: { readonly [Name in keyof Required<T>]: true }): string[] =>
  Object.keys(names);

/** Longer names are cut in messages: a key in the wrong place could be one of them. */
const LONGEST_SHOWN = 40;

const quoted = (name: string): string =>
  name.length > LONGEST_SHOWN ? `of ${name.length} characters` : `\`${name}\``;

/**
 * Says what is wrong with the first name of an object that is not a known one, or gives undefined when there is none.
 * Types refuse a misspelled option; this is for JavaScript and for options that come from somewhere else. A name whose
 * value is undefined counts too: it is just as misspelled.
 *
 * @param kind What the names are: `option of createClient`, `field of retry`.
 * @example
 * ```ts
 * const problem = unknownNames('option of createClient', options, NAMES);
 * // 'Unknown option of createClient `timeOut`. Did you mean `timeout`?'
 * if (problem !== undefined) throw new ConfigurationError(problem);
 * ```
 */
export const unknownNames = (kind: string, given: object, known: readonly string[]): string | undefined => {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) {
    return undefined;
  }
  const meant = closestName(unknown, known);
  const hint = meant === undefined ? `Known: ${known.join(', ')}.` : `Did you mean \`${meant}\`?`;
  return `Unknown ${kind} ${quoted(unknown)}. ${hint}`;
};
