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

/**
 * Returns a key as it is inside base64-encoded text, for each of the three places at which it can begin in a group of three
 * bytes: what every such text has in common, such as that of `Bearer <key>` and of `user:<key>`.
 */
const encoded = (key: string): string[] => {
  // `btoa` takes bytes.
  const bytes = String.fromCharCode(...new TextEncoder().encode(key));
  return [0, 1, 2].map((shift) =>
    btoa(' '.repeat(shift) + bytes)
      // Leaves out the characters that depend on the text around the key.
      .slice(shift && shift + 1, Math.floor(((shift + bytes.length) * 4) / 3))
      .toLowerCase(),
  );
};

/** An escape of one character in a URL, or in JSON, which may be quoted in JSON again. */
const ESCAPE = /%([\da-f]{2})|\\{1,4}u00([\da-f]{2})/y;

/** Finds every place after a character of a key that is written at a place of a text, in lower case. */
const placesAfter = (text: string, at: number, character: string): number[] => {
  if (/[a-z\d]/.test(character)) {
    return text[at] === character ? [at + 1] : [];
  }
  const places: number[] = [];
  // JSON writes some characters after backslashes.
  for (let slashes = 0; slashes <= 4; slashes += 1) {
    if (text[at + slashes] === character) {
      places.push(at + slashes + 1);
    }
    if (text[at + slashes] !== '\\') {
      break;
    }
  }
  ESCAPE.lastIndex = at;
  const [found, url, json] = ESCAPE.exec(text) ?? [];
  if (found !== undefined && String.fromCharCode(Number(`0x${url ?? json}`)) === character) {
    places.push(at + found.length);
  }
  return places;
};

/** Returns where a key ends that begins at a place of a text; undefined if none does. Both are in lower case. */
const endOf = (text: string, start: number, key: string): number | undefined => {
  // A text can be read in several ways: `%25` is one character of a key, or three.
  let places: readonly number[] = [start];
  for (const character of key) {
    const [first = -1] = places;
    places =
      places.length === 1
        ? placesAfter(text, first, character)
        : [...new Set(places.flatMap((at) => placesAfter(text, at, character)))];
    if (places.length === 0) {
      return undefined;
    }
  }
  return Math.max(...places);
};

/** Where a key was found. */
type Range = readonly [start: number, end: number];

/** @param endAt Returns where a key ends that begins as `beginning` does at a place; undefined if none does. */
const findAll = (
  text: string,
  beginning: string,
  endAt: (start: number) => number | undefined,
): readonly Range[] => {
  const ranges: Range[] = [];
  let at = text.indexOf(beginning);
  while (at >= 0 && at < text.length) {
    const end = endAt(at);
    if (end !== undefined) {
      ranges.push([at, end]);
    }
    at = text.indexOf(beginning, end ?? at + 1);
  }
  return ranges;
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
  const secrets = keys.filter(isLong);
  if (secrets.length === 0) {
    return (text, maxLength) => text.slice(0, maxLength);
  }
  const sought = secrets.map((secret) => {
    const key = secret.toLowerCase();
    // No escape replaces a letter or a digit, so one fast search is enough for most texts.
    return { key, beginning: /^[a-z\d]*/.exec(key)?.[0] ?? '', parts: encoded(secret) };
  });
  const lengths = secrets.map((key) => key.length);
  const shortest = Math.min(...lengths);
  const margin = Math.max(...lengths) * MAX_ESCAPE;

  return (text, maxLength = Number.POSITIVE_INFINITY, isCut = false) => {
    const searched = text.slice(0, maxLength + margin);
    let ranges: Range[] = [];
    // No writing of a key is shorter than the key.
    if (searched.length >= shortest) {
      // `İ` is the only character whose lower case is longer, which would move what follows.
      const lower = searched.replaceAll('İ', 'I').toLowerCase();
      const base64 = lower.replaceAll('-', '+').replaceAll('_', '/');
      for (const { key, beginning, parts } of sought) {
        if (lower.includes(beginning)) {
          ranges = [...ranges, ...findAll(lower, beginning, (start) => endOf(lower, start, key))];
        }
        for (const part of parts) {
          if (base64.includes(part)) {
            ranges = [...ranges, ...findAll(base64, part, (start) => start + part.length)];
          }
        }
      }
    }
    let clean = '';
    let copied = 0;
    // One key may begin with another, or overlap with it.
    for (const [start, end] of ranges.sort(([a], [b]) => a - b)) {
      if (start >= copied) {
        clean += searched.slice(copied, start) + HIDDEN;
      }
      copied = Math.max(copied, end);
    }
    const last = clean.length;
    clean += searched.slice(copied);
    // The cut may leave half a key at the end, after the last whole one.
    const kept = Math.max(clean.length - margin, last);
    return clean.slice(0, isCut || text.length > maxLength + margin ? Math.min(maxLength, kept) : maxLength);
  };
};
