/**
 * Removes secrets from a text that came from elsewhere: a server may repeat a key, a runtime may quote it.
 *
 * @param most Characters of the text that are wanted, so that no time is spent on megabytes.
 */
export type Redact = (text: string, most?: number) => string;

/** Shorter keys are no secret that a search could keep: they would be found inside ordinary words. */
const LEAST = 8;

/** A character may take this many when it is written in the longest way that is looked for: `%25252b`, `\\\\\\u002b`. */
const WIDEST = 9;

const HIDDEN = '[redacted]';

/** A key as it is, or with its special characters escaped: in a URL, in JSON (also inside JSON), in HTML. */
const escaped = (key: string): string =>
  key.replace(/[^a-z\d]/gi, (character) => {
    const hex = character.charCodeAt(0).toString(16);
    // The longer forms of % and & first.
    return `(?:%(?:25){0,2}${hex}|&#?\\w+;|\\\\{0,3}(?:\\x${hex}|u00${hex}))`;
  });

/**
 * What any base64 of a text with the key inside has in common, for the three places at which a key can begin in a group
 * of three bytes: `Bearer <key>`, `user:<key>` and all others.
 */
const encoded = (key: string): string[] =>
  [0, 1, 2].map((shift) =>
    btoa(' '.repeat(shift) + key)
      // Without the characters that depend on what stands around the key.
      .slice(shift && shift + 1, Math.floor(((shift + key.length) * 4) / 3))
      // The two special ones as in base64url, in a URL or in JSON.
      .replace(/[+/]/g, '(?:[+/_-]|%2[bf]|\\\\/)'),
  );

/** Makes what hides these keys, and any other text stays as it is. */
export const createRedact = (keys: readonly string[]): Redact => {
  const secrets = keys
    .filter((key) => key.length >= LEAST)
    // Longest first: a key may begin with another.
    .sort((a, b) => b.length - a.length);
  const [longest] = secrets;
  if (longest === undefined) {
    return (text, most) => text.slice(0, most);
  }
  const pattern = new RegExp(secrets.flatMap((key) => [escaped(key), ...encoded(key)]).join('|'), 'gi');
  const margin = longest.length * WIDEST;

  return (text, most = Number.POSITIVE_INFINITY) => {
    const clean = text.slice(0, most + margin).replace(pattern, HIDDEN);
    // Where the text was cut half a key may stand, behind the last one that was whole.
    const end = Math.max(clean.length - margin, clean.lastIndexOf(HIDDEN) + HIDDEN.length);
    return clean.slice(0, text.length > most + margin ? Math.min(most, end) : most);
  };
};
