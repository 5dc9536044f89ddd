import { createRandom } from './clock/random.ts';
import type { Settings } from './settings.ts';
import { drawSettings } from './settings.ts';
import { drawApiTrouble } from './steps/api-trouble.ts';
import { drawBurst } from './steps/calls.ts';
import { drawDeliveries } from './steps/deliveries.ts';
import { drawOutages } from './steps/outages.ts';
import { drawRows } from './steps/rows.ts';
import type { Step } from './steps/step.ts';

/** Everything that decides a run. */
export interface Scenario {
  readonly seed: number;
  readonly settings: Settings;
  /** What happens, in the order of time; the numbers stay when steps are removed. */
  readonly steps: readonly (Step & { readonly id: number })[];
}

/** Draws the scenario of a seed. */
export const drawScenario = (seed: number): Scenario => {
  const settings = drawSettings(createRandom(seed, 'settings'));
  const random = createRandom(seed, 'steps');
  const steps = [
    ...Array.from({ length: random.integer(2, 7) }, () => drawBurst(random, settings)).flat(),
    ...drawApiTrouble(random, settings),
    ...drawRows(random, settings),
    ...drawDeliveries(random),
    ...drawOutages(random, settings),
  ];
  const sorted = steps.toSorted((one, other) => one.at - other.at);
  return { seed, settings, steps: sorted.map((step, id) => ({ ...step, id })) };
};
