import type { Mutant } from './mutant.ts';

/** Faults that were fixed once. */
export const mutants: readonly Mutant[] = [];
