/**
 * Removes secrets from untrusted text: a server may repeat a key, and a runtime may quote it.
 *
 * @param most Maximum length of the result. It keeps a long text from taking long.
 * @param isCut True when the text was cut already. Its end is then left out, as far back as a cut key could begin.
 */
export type Redact = (text: string, most?: number, isCut?: boolean) => string;

/** Shorter keys are not redacted, because they would be found inside ordinary words. */
const LEAST = 8;

/** Length of the longest escape sequence that is searched for: `%25252b`, `\\\\\\u002b`. */
const WIDEST = 9;

const HIDDEN = '[redacted]';

/** Returns a pattern for a key with or without its special characters escaped: in a URL, in JSON (also nested) or in HTML. */
const escaped = (key: string): string =>
  key.replace(/[^a-z\d]/gi, (character) => {
    const hex = character.charCodeAt(0).toString(16);
    // Longer forms of % and & come first.
    return `(?:%(?:25){0,2}${hex}|&#?\\w+;|\\\\{0,3}(?:\\x${hex}|u00${hex}))`;
  });

/**
 * Returns patterns for a key inside base64-encoded text, one for each of the three places at which it can begin in a
 * group of three bytes. They match what every such text has in common: `Bearer <key>`, `user:<key>` and others.
 */
const encoded = (key: string): string[] =>
  [0, 1, 2].map((shift) =>
    btoa(' '.repeat(shift) + key)
      // Leaves out the characters that depend on the text around the key.
      .slice(shift && shift + 1, Math.floor(((shift + key.length) * 4) / 3))
      // Matches the two special characters also as written in base64url, in a URL or in JSON.
      .replace(/[+/]/g, '(?:[+/_-]|%2[bf]|\\\\/)'),
  );

/** Creates a function that redacts these keys. It leaves any other text unchanged. */
export const createRedact = (keys: readonly string[]): Redact => {
  const secrets = keys
    .filter((key) => key.length >= LEAST)
    // The longest comes first because one key may begin with another.
    .sort((a, b) => b.length - a.length);
  const [longest] = secrets;
  if (longest === undefined) {
    return (text, most) => text.slice(0, most);
  }
  const pattern = new RegExp(secrets.flatMap((key) => [escaped(key), ...encoded(key)]).join('|'), 'gi');
  const margin = longest.length * WIDEST;

  return (text, most = Number.POSITIVE_INFINITY, isCut = false) => {
    const clean = text.slice(0, most + margin).replace(pattern, HIDDEN);
    const last = clean.lastIndexOf(HIDDEN);
    // The cut may leave half a key at the end, after the last whole one.
    const end = Math.max(clean.length - margin, last < 0 ? 0 : last + HIDDEN.length);
    return clean.slice(0, isCut || text.length > most + margin ? Math.min(most, end) : most);
  };
};
