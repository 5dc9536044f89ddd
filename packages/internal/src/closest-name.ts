/**
 * The number of edits that turn one word into the other, where an edit inserts, deletes or replaces a character or
 * swaps two neighbors (optimal string alignment).
 */
const distance = (a: string, b: string): number => {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let least = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        least = Math.min(least, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(least);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
};

/** Names longer than this are no typing mistake, and comparing them would take time that a stranger could choose. */
const LONGEST = 64;

/** Spelling that people vary without noticing: `max-retries`, `maxRetries` and `max_retries` are one name. */
const plain = (name: string): string => name.toLowerCase().replace(/[-_ ]/g, '');

/**
 * The known name that a misspelled one most likely stands for, or undefined when none is close: at most
 * 45 % of its characters may differ, so that `retries` still finds `retry`.
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
  let least = Math.max(1, Math.floor(name.length * 0.45)) + 1;
  for (const candidate of known) {
    const edits = distance(plain(name), plain(candidate));
    if (edits < least) {
      closest = candidate;
      least = edits;
    }
  }
  return closest;
};
