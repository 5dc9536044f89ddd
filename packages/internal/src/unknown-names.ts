import { closestName } from './closest-name.ts';
import { escapeInvisible } from './secrecy/one-line.ts';
import { typeName } from './values.ts';

/** Matches what may be a key in the wrong place: no option has such a name. */
const SECRET_LIKE = /^(?=.*\d).{16}|.{31}/s;

/** Quotes a name for a message, unless it may be a secret. */
const quoted = (name: string): string =>
  `\`${SECRET_LIKE.test(name) ? '[redacted]' : escapeInvisible(name)}\``;

/**
 * Says what unknown names probably mean, or which names are known. Only a question has a mark at its end.
 *
 * @param meant Returns the known name that an unknown one stands for.
 * @example
 * ```ts
 * suggestNames(['timeOut'], ['timeout', 'retry']); // 'Did you mean `timeout`?'
 * ```
 */
export const suggestNames = (
  names: readonly string[],
  known: readonly string[],
  meant: (name: string, known: readonly string[]) => string | undefined = closestName,
): string => {
  const meanings = names.flatMap((name) => meant(name, known) ?? []);
  return meanings.length > 0
    ? `Did you mean \`${meanings.join('`, `')}\`?`
    : `Known: ${known.join(', ') || 'none'}`;
};

/** {@link suggestNames} for one name, as a sentence. It is all that a small bundle needs. */
const suggestName = (name: string, known: readonly string[]): string => {
  const meant = closestName(name, known);
  return meant ? `Did you mean \`${meant}\`?` : `Known: ${known.join(', ') || 'none'}.`;
};

/** What a package knows better. It is passed in, so that a small bundle need not contain it. */
export interface Hints {
  /** Returns a sentence that says what an unknown name means. The default suggests the name that is spelled most alike. */
  readonly hint?: ((name: string, known: readonly string[]) => string) | undefined;
  /** Returns how to turn a value into the object that is wanted; empty if it is one. */
  readonly remedy?: ((value: unknown) => string) | undefined;
}

/** Names the object that has such names: `The options of createClient`, `\`retry\``. */
const ownerOf = (kind: string): string =>
  kind.startsWith('option ')
    ? `The options${kind.slice(6)}`
    : `\`${kind.replace(/^\w+ (?:of|in) | field$/, '')}\``;

/**
 * Describes the first unknown field name of an object, or returns undefined if all are known. Anything but an object is a
 * problem too. TypeScript catches most misspellings; this check is for JavaScript, and for options from elsewhere. A
 * misspelled name counts even if its value is undefined.
 *
 * @param kind What the names are: `option of createClient`, `field of retry`.
 * @example
 * ```ts
 * const problem = unknownNames('option of createClient', options, NAMES);
 * // 'Unknown option of createClient `timeOut`. Did you mean `timeout`?'
 * if (problem !== undefined) throw new ConfigurationError(problem);
 * ```
 */
export const unknownNames = (
  kind: string,
  given: unknown,
  known: readonly string[],
  { hint = suggestName, remedy = () => '' }: Hints = {},
): string | undefined => {
  const type = typeName(given) + remedy(given);
  if (type !== 'an object') {
    return `${ownerOf(kind)} must be an object, got ${type}.`;
  }
  const unknown = Object.keys(given as object).find((name) => !known.includes(name));
  if (unknown === undefined) {
    return undefined;
  }
  return `Unknown ${kind} ${quoted(unknown)}. ${hint(unknown, known)}`;
};
