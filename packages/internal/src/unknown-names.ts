import { closestName } from './closest-name.ts';
import { escapeInvisible } from './secrecy/one-line.ts';
import { typeName } from './values.ts';

/** Matches what may be a key in the wrong place: no option has such a name. */
const SECRET_LIKE = /^(?=.*\d).{16}|.{31}/s;

/** Quotes a name for a message, unless it may be a secret. */
const quoted = (name: string): string =>
  `\`${SECRET_LIKE.test(name) ? '[redacted]' : escapeInvisible(name)}\``;

/**
 * Suggests the names that unknown ones probably stand for, or lists the known names. Only the suggestion, a question, ends
 * with a punctuation mark.
 *
 * @param guess Returns the known name that an unknown one probably stands for.
 * @example
 * ```ts
 * suggestNames(['timeOut'], ['timeout', 'retry']); // 'Did you mean `timeout`?'
 * ```
 */
export const suggestNames = (
  names: readonly string[],
  known: readonly string[],
  guess: (name: string, known: readonly string[]) => string | undefined = closestName,
): string => {
  const meanings = names.flatMap((name) => guess(name, known) ?? []);
  return meanings.length > 0
    ? `Did you mean \`${meanings.join('`, `')}\`?`
    : `Known: ${known.join(', ') || 'none'}`;
};

/** Does the same as {@link suggestNames} for one name, in less code for small bundles, and ends as a sentence. */
const suggestName = (name: string, known: readonly string[]): string => {
  const meant = closestName(name, known);
  return meant ? `Did you mean \`${meant}\`?` : `Known: ${known.join(', ') || 'none'}.`;
};

/** Better hints of a package. They are passed in, so that small bundles need not contain them. */
export interface Hints {
  /** Returns a sentence about what an unknown name means. The default suggests the name with the closest spelling. */
  readonly hint?: ((name: string, known: readonly string[]) => string) | undefined;
  /** Returns how to turn a value into the required object, as `remedyFor` does. */
  readonly remedy?: ((value: unknown) => string) | undefined;
}

/** Names the object that has such names: `The createClient options`, `\`retry\``. */
const ownerOf = (kind: string): string =>
  kind.endsWith(' option') ? `The ${kind}s` : `\`${kind.replace(/ \w+$/, '')}\``;

/**
 * Describes the first unknown field name of an object, or returns undefined if all are known. A value that is not an object
 * is a problem too. TypeScript catches most misspellings; this check is for JavaScript and for options that are read from
 * elsewhere. A misspelled name is a problem even if its value is undefined.
 *
 * @param kind What the names are: `createClient option`, `retry field`.
 * @example
 * ```ts
 * const problem = unknownNames('createClient option', options, NAMES);
 * // 'Unknown createClient option `timeOut`. Did you mean `timeout`?'
 * if (problem !== undefined) throw new ConfigurationError(problem);
 * ```
 */
export const unknownNames = (
  kind: string,
  value: unknown,
  known: readonly string[],
  { hint = suggestName, remedy = () => '' }: Hints = {},
): string | undefined => {
  const type = typeName(value) + remedy(value);
  if (type !== 'an object') {
    return `${ownerOf(kind)} must be an object, got ${type}.`;
  }
  const unknown = Object.keys(value as object).find((name) => !known.includes(name));
  if (unknown === undefined) {
    return undefined;
  }
  return `Unknown ${kind} ${quoted(unknown)}. ${hint(unknown, known)}`;
};
