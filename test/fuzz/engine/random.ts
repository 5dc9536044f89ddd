import { mulberry32 } from '../../support/mulberry32.ts';

/** Draws numbers from a seed: the same seed, the same numbers. */
export interface Random {
  /** A whole number from 0 up to but not including `most`. */
  below(most: number): number;
  /** One of the items. */
  pick<Item>(items: ArrayLike<Item>): Item;
}

/** Creates the numbers that choose mutations. */
export const createRandom = (seed: number): Random => {
  const next = mulberry32(seed);
  const below = (most: number) => Math.floor(next() * most);
  return { below, pick: (items) => items[below(items.length)] as never };
};
