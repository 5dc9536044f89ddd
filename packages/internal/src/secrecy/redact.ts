/**
 * Removes secrets from untrusted text: a server may repeat a key, and a runtime may quote it.
 *
 * @param maxLength Maximum length of the result, which also bounds the work.
 * @param isCut Whether the text is the beginning of a longer one. Its end is then dropped, because it may be part of a key.
 */
export type Redact = (text: string, maxLength?: number, isCut?: boolean) => string;

/** Shorter keys are not redacted, because they would be found inside ordinary words. */
const MIN_LENGTH = 8;

/** Longer keys are never sent, and a pattern of one could be larger than a runtime accepts. */
const MAX_LENGTH = 4_096;

/** The longest escape of one character: `\\\\u002b`, in JSON that is quoted in JSON. */
const MAX_ESCAPE = 9;

const HIDDEN = '[redacted]';

/** Matches what JSON writes before some characters, even if that JSON is quoted in JSON again. */
const SLASHES: Readonly<Record<string, string>> = { '"': '\\\\{0,4}', '/': '\\\\{0,4}', '\\': '\\\\{0,3}' };

/** Returns a pattern that matches a character of a key as it is, and as an escape in a URL or in JSON. */
const patternOf = (character: string): string => {
  // No escape replaces a letter or a digit, so most of a key is found by a fast search.
  if (/[a-z\d]/i.test(character)) {
    return character;
  }
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
  return `(?:%${hex}|\\\\{1,4}u00${hex}|${SLASHES[character] ?? ''}\\u${hex.padStart(4, '0')})`;
};

/**
 * Returns patterns that match a key inside base64-encoded text, one for each position at which the key can begin in a
 * group of three bytes. They match the key whatever is encoded with it, as in `Bearer <key>` and `user:<key>`.
 */
const base64PatternsOf = (key: string): string[] => {
  // `btoa` takes bytes.
  const bytes = String.fromCharCode(...new TextEncoder().encode(key));
  return [0, 1, 2].map((shift) =>
    btoa(' '.repeat(shift) + bytes)
      // Leaves out the characters that depend on the text around the key.
      .slice(shift && shift + 1, Math.floor(((shift + bytes.length) * 4) / 3))
      .replaceAll('+', '[+-]')
      .replaceAll('/', '[/_]'),
  );
};

/**
 * Creates a function that redacts these keys: as they are, and as JSON, URLs and base64 write them.
 *
 * @example
 * ```ts
 * createRedact(['confab_live_abc'])('bad key confab_live_abc'); // 'bad key [redacted]'
 * ```
 */
export const createRedact = (keys: readonly string[]): Redact => {
  // A key may be the beginning of another one, so the longer one is searched for first.
  const secrets = keys
    .filter(({ length }) => length >= MIN_LENGTH && length <= MAX_LENGTH)
    .sort((a, b) => b.length - a.length);
  const [longest] = secrets;
  if (longest === undefined) {
    return (text, maxLength) => text.slice(0, maxLength);
  }
  const patterns = secrets
    .flatMap((key) => [key.split('').map(patternOf).join(''), ...base64PatternsOf(key)])
    .map((pattern) => new RegExp(pattern, 'gi'));
  const margin = longest.length * MAX_ESCAPE;

  return (text, maxLength = Number.POSITIVE_INFINITY, isCut = false) => {
    let clean = text.slice(0, maxLength + margin);
    for (const pattern of patterns) {
      clean = clean.replace(pattern, HIDDEN);
    }
    // The cut may leave half a key at the end, after the last whole one.
    const [end = ''] = clean.split(HIDDEN).slice(-1);
    const kept = clean.length - Math.min(margin, end.length);
    return clean.slice(0, isCut || text.length > maxLength + margin ? Math.min(maxLength, kept) : maxLength);
  };
};
