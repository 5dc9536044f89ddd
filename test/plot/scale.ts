/** Steps between marks that people read easily, times a power of ten. */
const STEPS = [1, 2, 2.5, 5, 10];

/** Marks on an axis that starts at 0: at most seven, at round numbers, the last of them no smaller than `most`. */
export const marksUpTo = (most: number): number[] => {
  const top = most > 0 ? most : 1;
  const power = 10 ** Math.floor(Math.log10(top / 5));
  const step = power * (STEPS.find((factor) => (factor * power * 6) / top >= 1) ?? 10);
  const count = Math.ceil(top / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
};

/** Keeps about `most` points of a line: of each group, the lowest and the highest, so no peak is lost. */
export const thin = <T extends readonly [number, number]>(points: readonly T[], most: number): T[] => {
  const size = Math.ceil((2 * points.length) / most);
  if (size <= 2) {
    return [...points];
  }
  const kept: T[] = [];
  for (let start = 0; start < points.length; start += size) {
    const group = points.slice(start, start + size).toSorted((a, b) => a[1] - b[1]);
    const ends = [group[0], group.length > 1 ? group.at(-1) : undefined];
    kept.push(...ends.filter((point) => point !== undefined).toSorted((a, b) => a[0] - b[0]));
  }
  return kept;
};
