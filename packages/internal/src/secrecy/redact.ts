import { ANY, unescaped } from './unescaped.ts';

/**
 * Removes secrets from untrusted text: a server may repeat a key, and a runtime may quote it.
 *
 * @param most Maximum length of the result. It keeps a long text from taking long.
 * @param isCut True when the text was cut already. Its end is then left out, as far back as a cut key could begin.
 */
export type Redact = (text: string, most?: number, isCut?: boolean) => string;

/** Shorter keys are not redacted, because they would be found inside ordinary words. */
const LEAST = 8;

/** Characters that an escape of one character may have: `%2525252b`, `&amp;amp;#99;`, `\\\\\\u002b`. */
const WIDEST = 16;

/** A key that consists almost only of escapes is searched for only as it is. */
const LEAST_UNESCAPED = 4;

const HIDDEN = '[redacted]';

/** Returns a key as it is, and as it is without what looks like an escape in it. */
const formsOf = (key: string): string[] => {
  const plain = unescaped(key);
  return plain === key || plain.length < LEAST_UNESCAPED ? [key] : [key, plain];
};

const toPattern = (text: string): string =>
  text.replace(/[^a-z\d]/gi, (character) => `[\\${character}${ANY}]`);

/**
 * Returns patterns for a key inside base64-encoded text, one for each of the three places at which it can begin in a
 * group of three bytes. They match what every such text has in common: `Bearer <key>`, `user:<key>` and others.
 */
const encoded = (key: string): string[] =>
  [0, 1, 2].map((shift) =>
    btoa(' '.repeat(shift) + key)
      // Leaves out the characters that depend on the text around the key.
      .slice(shift && shift + 1, Math.floor(((shift + key.length) * 4) / 3))
      // Matches the two special characters also as written in base64url.
      .replace(/[+/]/g, '[+/_-]'),
  );

/**
 * Creates a function that redacts these keys. A text without them is unchanged; one with them loses its escapes.
 *
 * @example
 * ```ts
 * createRedact(['confab_live_abc'])('bad key confab_live_abc'); // 'bad key [redacted]'
 * ```
 */
export const createRedact = (keys: readonly string[]): Redact => {
  const secrets = keys
    .filter((key) => key.length >= LEAST)
    // The longest comes first because one key may begin with another.
    .sort((a, b) => b.length - a.length);
  const [longest] = secrets;
  if (longest === undefined) {
    return (text, most) => text.slice(0, most);
  }
  const pattern = new RegExp(
    secrets.flatMap((key) => [...formsOf(key).map(toPattern), ...encoded(key)]).join('|'),
    'gi',
  );
  const margin = longest.length * WIDEST;

  return (text, most = Number.POSITIVE_INFINITY, isCut = false) => {
    const read = text.slice(0, most + margin);
    // In every layer: the characters around a key may look like a part of an escape of the next one.
    let found = false;
    const hidden = unescaped(read, (layer) =>
      layer.replace(pattern, () => {
        found = true;
        return HIDDEN;
      }),
    );
    const clean = found ? hidden : read;
    const last = clean.lastIndexOf(HIDDEN);
    // The cut may leave half a key at the end, after the last whole one.
    const end = Math.max(clean.length - margin, last < 0 ? 0 : last + HIDDEN.length);
    return clean.slice(0, isCut || text.length > most + margin ? Math.min(most, end) : most);
  };
};
