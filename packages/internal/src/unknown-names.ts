import { closestName } from './closest-name.ts';
import { visible } from './secrecy/one-line.ts';
import { hasMethods, remedyFor, typeName } from './type-name.ts';

/** Matches what may be a key in the wrong place: no option has such a name. */
const SECRET_LIKE = /^(?=.*\d).{16}|.{31}/s;

/** Quotes a name for a message, unless it may be a secret. */
const quoted = (name: string): string => `\`${SECRET_LIKE.test(name) ? '[redacted]' : visible(name)}\``;

/** What unknown names may mean. */
export interface Hints {
  /** Returns the known name that a name probably means. */
  readonly meant?: ((name: string, known: readonly string[]) => string | undefined) | undefined;
  /** Says where a name belongs that is known elsewhere: `\`signal\` is an option: pass it in the next argument`. */
  readonly elsewhere?: ((name: string) => string | undefined) | undefined;
}

/** Says what unknown names probably mean, or which names are known. Only a question has a mark at its end. */
export const hintFor = (
  names: readonly string[],
  known: readonly string[],
  { meant = closestName, elsewhere = () => undefined }: Hints = {},
): string => {
  const [place] = names.flatMap((name) => elsewhere(name) ?? []);
  const meanings = new Set(names.flatMap((name) => meant(name, known) ?? []));
  if (place === undefined && meanings.size > 0) {
    return `Did you mean ${[...meanings].map((name) => `\`${name}\``).join(', ')}?`;
  }
  return place ?? `Known: ${known.join(', ') || 'none'}`;
};

/** Names the object that has such names: `The options of createClient`, `\`retry\``. */
const ownerOf = (kind: string): string =>
  kind.startsWith('option of ')
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
  hints?: Hints,
): string | undefined => {
  if (typeName(given) !== 'an object' || hasMethods(given, 'then')) {
    return `${ownerOf(kind)} must be an object, got ${typeName(given)}${remedyFor(given)}.`;
  }
  const unknown = Object.keys(given as object).find((name) => !known.includes(name));
  if (unknown === undefined) {
    return undefined;
  }
  const hint = hintFor([unknown], known, hints);
  return `Unknown ${kind} ${quoted(unknown)}. ${hint}${hint.endsWith('?') ? '' : '.'}`;
};
