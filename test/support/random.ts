/** Returns a function that draws numbers from 0 up to but not including 1. The same seed draws the same numbers. */
const mulberry32 = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** The 32-bit FNV-1a hash of a text. */
const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
};

/**
 * Creates the random stream of one purpose. Streams with different names are independent, so that removing a step from a
 * scenario does not change what happens to the others.
 */
export const createRandom = (seed: number, name: string) => {
  const next = mulberry32(hash(`${seed}/${name}`));
  /** A whole number from `from` to `to`, both included. */
  const integer = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    /** A number from 0 up to but not including 1. */
    next,
    integer,
    chance: (probability: number): boolean => next() < probability,
    /** One of the values, which must not be empty. */
    pick: <const T>(values: readonly T[]): T => values[integer(0, values.length - 1)] as T,
  };
};

export type Random = ReturnType<typeof createRandom>;
