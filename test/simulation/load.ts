import { installGlobals } from './clock/globals.ts';
import type { Mutant } from './mutants/mutant.ts';
import { putBack } from './mutants/put-back.ts';

/**
 * Imports the packages and what runs them, after the globals have been replaced. Nothing outside the simulation may import
 * these files: a package that is already loaded would keep the platform's own timers.
 *
 * @param mutant An old fault to put back into the packages.
 */
export const loadSimulation = async (mutant?: Mutant) => {
  installGlobals();
  if (mutant !== undefined) {
    putBack(mutant);
  }
  const { runScenario } = await import('./run-scenario.ts');
  return runScenario;
};

/** Runs a scenario. */
export type RunScenario = Awaited<ReturnType<typeof loadSimulation>>;
