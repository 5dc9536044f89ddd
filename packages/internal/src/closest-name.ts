/** Counts the insertions, deletions and replacements that turn one word into the other (Levenshtein distance). */
const distance = (a: string, b: string): number => {
  let row = [...b, ''].map((_, index) => index);
  for (const [index, character] of [...a].entries()) {
    let left = index + 1;
    row = [
      left,
      ...[...b].map((other, at) => {
        left = Math.min(left + 1, (row[at + 1] ?? 0) + 1, (row[at] ?? 0) + (character === other ? 0 : 1));
        return left;
      }),
    ];
  }
  return row.at(-1) ?? 0;
};

/** Longer names are not typing mistakes, and a stranger could use them to waste time. */
const LONGEST = 64;

/** Removes differences in style: `max-retries`, `maxRetries` and `max_retries` are the same name. */
const plain = (name: string): string => name.toLowerCase().replace(/[-_ ]/g, '');

/**
 * Returns the known name that is closest to a misspelled one, or undefined if none is close. A close name differs by at
 * most two edits, or by 45 % of the characters, which lets `retries` find `retry`.
 *
 * @example
 * ```ts
 * closestName('retires', ['retries', 'timeout']); // 'retries'
 * ```
 */
export const closestName = (name: string, known: Iterable<string>): string | undefined => {
  if (name.length > LONGEST) {
    return undefined;
  }
  let closest: string | undefined;
  let least = Math.max(2, Math.floor(name.length * 0.45)) + 1;
  for (const candidate of known) {
    const edits = distance(plain(name), plain(candidate));
    if (edits < least) {
      closest = candidate;
      least = edits;
    }
  }
  return closest;
};
