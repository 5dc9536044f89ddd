/**
 * Removes secrets from untrusted text: a server may repeat a key, and a runtime may quote it.
 *
 * @param maxLength Maximum length of the result, which also bounds the work.
 * @param isCut True when the text was cut already. Its end is then left out, as far back as a cut key could begin.
 */
export type Redact = (text: string, maxLength?: number, isCut?: boolean) => string;

/** Shorter keys are not redacted, because they would be found inside ordinary words. */
const MIN_LENGTH = 8;

const isLong = (key: string): boolean => key.length >= MIN_LENGTH;

/** Characters that an escape of one character has at most: `\\\\u002b`, in JSON that is quoted in JSON. */
const MAX_ESCAPE = 9;

const HIDDEN = '[redacted]';

/** Returns a pattern for a key as it is, as JSON writes it and as a URL does. Both escape special characters only. */
const toPattern = (key: string): string =>
  key.replace(/[^a-z\d]/gi, (character) => {
    const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
    return `(?:%${hex}|\\\\{1,4}u00${hex}|\\\\{0,4}\\${character})`;
  });

/**
 * Returns patterns for a key inside base64-encoded text, one for each of the three places at which it can begin in a
 * group of three bytes. They match what every such text has in common: `Bearer <key>`, `user:<key>` and others.
 */
const encoded = (key: string): string[] => {
  // `btoa` takes bytes.
  const bytes = String.fromCharCode(...new TextEncoder().encode(key));
  return [0, 1, 2].map((shift) =>
    btoa(' '.repeat(shift) + bytes)
      // Leaves out the characters that depend on the text around the key.
      .slice(shift && shift + 1, Math.floor(((shift + bytes.length) * 4) / 3))
      // Matches the two special characters also as written in base64url.
      .replace(/[+/]/g, '[+/_-]'),
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
  const secrets = keys
    .filter(isLong)
    // The longest comes first because one key may begin with another.
    .sort((a, b) => b.length - a.length);
  const [longest] = secrets;
  if (longest === undefined) {
    return (text, maxLength) => text.slice(0, maxLength);
  }
  const pattern = new RegExp(secrets.flatMap((key) => [toPattern(key), ...encoded(key)]).join('|'), 'gi');
  const margin = longest.length * MAX_ESCAPE;

  return (text, maxLength = Number.POSITIVE_INFINITY, isCut = false) => {
    const clean = text.slice(0, maxLength + margin).replace(pattern, HIDDEN);
    const last = clean.lastIndexOf(HIDDEN);
    // The cut may leave half a key at the end, after the last whole one.
    const end = Math.max(clean.length - margin, last < 0 ? 0 : last + HIDDEN.length);
    return clean.slice(0, isCut || text.length > maxLength + margin ? Math.min(maxLength, end) : maxLength);
  };
};

/** Characters of the beginning of a key to look for. Most keys of a service share them. */
const START_LENGTH = 12;

/**
 * Returns short texts in lower case. A text in which {@link createRedact} finds one of these keys contains at least one of
 * them, whatever its case: looking for them costs much less than redacting.
 *
 * @example
 * ```ts
 * signsOf(['confab_live_abc']).some((sign) => 'get /leads?limit=1'.includes(sign)); // false
 * ```
 */
export const signsOf = (keys: readonly string[]): string[] => {
  const starts = [...new Set(keys.filter(isLong).map((key) => key.slice(0, START_LENGTH)))];
  // A pattern counts up to its first class of characters.
  const written = starts
    .flatMap((start) => [start, ...encoded(start)])
    .map((text) => text.replace(/\[.*/s, ''));
  // An escape may stand for any character of a key.
  return [...new Set(written.map((text) => text.toLowerCase())), '%', '\\'];
};
