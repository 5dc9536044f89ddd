/** Most runs that shrinking may take. */
const MOST_RUNS = 400;

/**
 * Removes as many items as possible while the rest still fails: chunks first, then smaller ones, at last single items
 * (delta debugging).
 *
 * @param fails Whether a smaller list still fails.
 */
export const shrink = async <Item>(
  items: readonly Item[],
  fails: (fewer: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> => {
  let left = items;
  let runs = 0;
  for (let size = Math.ceil(left.length / 2); size >= 1; ) {
    let removed = false;
    for (let at = 0; at < left.length && runs < MOST_RUNS; ) {
      const fewer = left.toSpliced(at, size);
      runs += 1;
      if (await fails(fewer)) {
        left = fewer;
        removed = true;
      } else {
        at += size;
      }
    }
    if (size === 1 && (!removed || runs >= MOST_RUNS)) {
      return left;
    }
    size = size === 1 ? 1 : Math.ceil(size / 2);
  }
  return left;
};
