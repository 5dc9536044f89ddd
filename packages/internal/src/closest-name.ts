/** Counts the insertions, deletions and replacements that turn one word into the other (Levenshtein distance). */
const distance = (a: string, b: string): number => {
  // The distances from the part of `a` that has been read to each prefix of `b`.
  let row = [...b, ''].map((_, index) => index);
  for (const character of a) {
    const above = row as [number, ...number[]];
    row = [above[0] + 1];
    [...b].forEach((other, index) => {
      const replaced = (above[index] as number) + Number(character !== other);
      row.push(Math.min((row[index] as number) + 1, (above[index + 1] as number) + 1, replaced));
    });
  }
  return row.at(-1) as number;
};

/** Longer names are not typing mistakes, and a stranger could use them to waste time. */
const MAX_LENGTH = 64;

/** Removes differences in style: `max-retries`, `maxRetries` and `max_retries` are the same name. */
const normalize = (name: string): string => name.toLowerCase().replace(/[-_ ]/g, '');

/**
 * Returns the known name that is closest to a misspelled one, or undefined if no name is close.
 *
 * @param maxEdits The most edits by which a close name differs. The default, two edits or 45 % of the characters, lets
 * `retries` find `retry`.
 * @example
 * ```ts
 * closestName('retires', ['retries', 'timeout']); // 'retries'
 * ```
 */
export const closestName = (
  name: string,
  known: Iterable<string>,
  maxEdits = Math.max(2, Math.floor(name.length * 0.45)),
): string | undefined => {
  if (name.length > MAX_LENGTH) {
    return undefined;
  }
  let closest: string | undefined;
  let fewestEdits = maxEdits + 1;
  for (const candidate of known) {
    const edits = distance(normalize(name), normalize(candidate));
    if (edits < fewestEdits) {
      closest = candidate;
      fewestEdits = edits;
    }
  }
  return closest;
};
