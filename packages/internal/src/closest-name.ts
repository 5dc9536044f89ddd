/** Counts the insertions, deletions and replacements that turn one word into the other (Levenshtein distance). */
const distance = (a: string, b: string): number => {
  // The distances of what has been read of `a` to each beginning of `b`.
  let row = [...b, ''].map((_, at) => at);
  for (const character of a) {
    const above = row as [number, ...number[]];
    row = [above[0] + 1];
    [...b].forEach((other, at) => {
      const replaced = (above[at] as number) + Number(character !== other);
      row.push(Math.min((row[at] as number) + 1, (above[at + 1] as number) + 1, replaced));
    });
  }
  return row.at(-1) as number;
};

/** Longer names are not typing mistakes, and a stranger could use them to waste time. */
const MAX_LENGTH = 64;

/** Removes differences in style: `max-retries`, `maxRetries` and `max_retries` are the same name. */
const plain = (name: string): string => name.toLowerCase().replace(/[-_ ]/g, '');

/**
 * Returns the known name that is closest to a misspelled one, or undefined if none is close. A close name differs by at
 * most two edits, or by 45 % of the characters, which lets `retries` find `retry`.
 *
 * @param most The most edits by which a close name differs.
 * @example
 * ```ts
 * closestName('retires', ['retries', 'timeout']); // 'retries'
 * ```
 */
export const closestName = (
  name: string,
  known: Iterable<string>,
  most = Math.max(2, Math.floor(name.length * 0.45)),
): string | undefined => {
  if (name.length > MAX_LENGTH) {
    return undefined;
  }
  let closest: string | undefined;
  let least = most + 1;
  for (const candidate of known) {
    const edits = distance(plain(name), plain(candidate));
    if (edits < least) {
      closest = candidate;
      least = edits;
    }
  }
  return closest;
};
