/**
 * Removes items as long as the rest still fails: half of them at once, then fewer, at last single ones.
 *
 * @param fails Whether a smaller list still fails.
 */
export const shrink = async <Item>(
  items: readonly Item[],
  fails: (fewer: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> => {
  let left = items;
  for (let size = left.length; size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < left.length; ) {
      const fewer = left.toSpliced(at, size);
      if (await fails(fewer)) {
        left = fewer;
      } else {
        at += size;
      }
    }
  }
  return left;
};
