/** Random numbers that a seed repeats. */
export interface Random {
  /** From 0 up to 1, without 1. */
  fraction(): number;
  /** An integer from 0 up to `end`, without `end`. */
  below(end: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** Creates random numbers from a 32-bit seed (mulberry32). */
export const createRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(fraction() * end);
  return {
    fraction,
    below,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) {
        throw new RangeError('There is nothing to pick from.');
      }
      return item;
    },
  };
};
