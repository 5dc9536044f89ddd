/** The number of characters to insert, delete or replace to turn one word into the other (Levenshtein). */
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

/** Names longer than this are no typing mistake, and comparing them would take time that a stranger could choose. */
const LONGEST = 64;

/** Spelling that people vary without noticing: `max-retries`, `maxRetries` and `max_retries` are one name. */
const plain = (name: string): string => name.toLowerCase().replace(/[-_ ]/g, '');

/**
 * The known name that a misspelled one most likely stands for, or undefined when none is close: two edits, or
 * 45 % of its characters, so that `retries` still finds `retry`.
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
