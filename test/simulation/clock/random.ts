import { mulberry32 } from '../../random/mulberry32.ts';

/** A stream of random numbers that depend on its seed alone. */
export interface Random {
  /** A number from 0 up to but not including 1. */
  next(): number;
  /** A whole number from `from` to `to`, both included. */
  whole(from: number, to: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
}

/** The 32-bit FNV-1a hash of a text. */
const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return value >>> 0;
};

/**
 * Creates the stream of one purpose. Streams with different names are independent of each other, so that a scenario from
 * which a step was removed keeps the fate of everything else.
 */
export const createRandom = (seed: number, name: string): Random => {
  const next = mulberry32(hash(`${seed}/${name}`));
  const whole = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    whole,
    chance: (probability) => next() < probability,
    pick: <T>(values: readonly T[]): T => {
      const value = values[whole(0, values.length - 1)];
      if (value === undefined) {
        throw new Error('There is nothing to pick from');
      }
      return value;
    },
  };
};
