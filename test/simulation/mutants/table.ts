import { clientMutants } from './client-mutants.ts';
import { limiterMutants } from './limiter-mutants.ts';
import type { Mutant } from './mutant.ts';
import { plantedMutants } from './planted-mutants.ts';
import { webhooksMutants } from './webhooks-mutants.ts';

/** Faults that the simulation must find: those that were fixed once, and one for every other invariant. */
export const mutants: readonly Mutant[] = [
  ...clientMutants,
  ...limiterMutants,
  ...webhooksMutants,
  ...plantedMutants,
];
