/** Draws numbers from a seed: the same seed, the same numbers. */
export interface Random {
  /** A whole number from 0 up to but not including `most`. */
  below(most: number): number;
  /** One of the items. */
  pick<Item>(items: ArrayLike<Item>): Item;
}

/** Mulberry32, which is fast and good enough to choose mutations. */
export const createRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (most: number) => Math.floor(next() * most);
  return { below, pick: (items) => items[below(items.length)] as never };
};
