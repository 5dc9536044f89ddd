import { runSeeds } from '../run-seeds.ts';
import type { Mutant } from './mutant.ts';

/** How a mutant was found. */
export interface Finding {
  readonly mutant: Mutant;
  /** The seed, and the invariant that it breaks; `undefined` when none of the seeds found it. */
  readonly found: { readonly seed: number; readonly invariant: string } | undefined;
  /** Number of seeds that ran until then. */
  readonly seeds: number;
}

/** Seeds after which a mutant counts as missed. */
const MOST_SEEDS = 3_000;

/** Runs seeds with each mutant until one of them breaks an invariant. */
export const findMutants = async (
  mutants: readonly Mutant[],
  threads: number,
  onFinding: (finding: Finding) => void,
): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  for (const mutant of mutants) {
    const { failures } = await runSeeds({ from: 1, count: MOST_SEEDS, threads, mutant: mutant.name });
    // Threads take turns, so the lowest failing seed is the number of seeds that were needed.
    const [failure] = failures.toSorted((one, other) => one.seed - other.seed);
    const finding: Finding = {
      mutant,
      found: failure && { seed: failure.seed, invariant: failure.violation.invariant },
      seeds: failure?.seed ?? MOST_SEEDS,
    };
    findings.push(finding);
    onFinding(finding);
  }
  return findings;
};
