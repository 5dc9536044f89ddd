import { mulberry32 } from '../../support/mulberry32.ts';

/** The 32-bit FNV-1a hash of a text. */
const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return value >>> 0;
};

/**
 * Creates the random stream of one purpose. Streams with different names are independent of each other, so that a scenario
 * from which a step was removed keeps the fate of everything else.
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
    pick: <const T>(values: readonly [T, ...T[]]): T => values[integer(0, values.length - 1)] ?? values[0],
  };
};

export type Random = ReturnType<typeof createRandom>;
