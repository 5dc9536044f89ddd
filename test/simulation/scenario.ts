import { createRandom } from '../support/random.ts';
import type { Settings } from './settings.ts';
import { drawSettings } from './settings.ts';
import type { Step } from './steps.ts';
import { drawSteps } from './steps.ts';

/** Everything that decides a run. */
export interface Scenario {
  readonly seed: number;
  readonly settings: Settings;
  /** The steps in the order of time. Removing a step does not change the ids of the others. */
  readonly steps: readonly (Step & { readonly id: number })[];
}

/** Draws the scenario of a seed. */
export const drawScenario = (seed: number): Scenario => {
  const settings = drawSettings(createRandom(seed, 'settings'));
  const steps = drawSteps(createRandom(seed, 'steps'), settings).toSorted((one, other) => one.at - other.at);
  return { seed, settings, steps: steps.map((step, id) => ({ ...step, id })) };
};
