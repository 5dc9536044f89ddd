import type { Random } from '../clock/random.ts';
import { CALM_FROM } from '../sim.ts';
import type { World } from '../world.ts';

/** Something that happens at one moment of a run. All its chances were drawn before the run, but for those of the network. */
export interface Step {
  readonly kind: string;
  /** Milliseconds from the start. */
  readonly at: number;
  /** @param id The number of the step. */
  run(world: World, id: number): void;
}

/** Milliseconds of the interval in which calls start. */
export const BUSY_FOR = 90_000;

/** Draws several steps. */
export const many = (count: number, draw: () => Step): Step[] => Array.from({ length: count }, draw);

/** Draws a moment. */
export const moment = (random: Random): number => random.integer(0, BUSY_FOR);

/** Draws a moment, and a later one before the calm. */
export const interval = (random: Random, longest: number) => {
  const at = moment(random);
  return { at, until: Math.min(CALM_FROM, at + random.integer(500, longest)) };
};
