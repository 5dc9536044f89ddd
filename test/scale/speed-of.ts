import type { Costs } from './measure-all.ts';
import type { RedisSpeed } from './simulate.ts';

/** Milliseconds to which the time of a call is rounded up. */
const STEP = 0.01;

/** How fast the Redis of the simulation is: every call takes as long as the slowest script of a budget, rounded up. */
export const speedOf = ({ budget: { takeMs, releaseMs, refuseMs } }: Pick<Costs, 'budget'>): RedisSpeed => ({
  callMs: Math.ceil(Math.max(takeMs, releaseMs, refuseMs) / STEP) * STEP,
  roundTripMs: 1,
});
