import { createRandom } from '../clock/random.ts';
import { drawSettings } from './draw-settings.ts';
import { drawSteps } from './draw-steps.ts';
import type { Scenario } from './scenario.ts';

/** Draws the scenario of a seed. */
export const drawScenario = (seed: number): Scenario => {
  const settings = drawSettings(createRandom(seed, 'settings'));
  return { seed, settings, steps: drawSteps(createRandom(seed, 'steps'), settings) };
};
