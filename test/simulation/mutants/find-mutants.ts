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

/** Runs seeds with one mutant, in order, until one of them breaks an invariant. */
const findMutant = async (mutant: Mutant): Promise<Finding> => {
  // On one thread: with several, the seed that fails first would depend on their speed.
  const { failures } = await runSeeds({ from: 1, count: MOST_SEEDS, threads: 1, mutant });
  const [failure] = failures;
  return {
    mutant,
    found: failure && { seed: failure.seed, invariant: failure.violation.invariant },
    seeds: failure?.seed ?? MOST_SEEDS,
  };
};

/** Looks for each mutant, for as many of them at once as there are threads. */
export const findMutants = async (
  mutants: readonly Mutant[],
  threads: number,
  onFinding: (finding: Finding) => void,
): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  const waiting = mutants.entries();
  const look = async (): Promise<void> => {
    for (const [at, mutant] of waiting) {
      const finding = await findMutant(mutant);
      findings[at] = finding;
      onFinding(finding);
    }
  };
  await Promise.all(Array.from({ length: threads }, look));
  return findings;
};
