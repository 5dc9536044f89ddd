import { clientMutants } from './client-mutants.ts';
import { limiterMutants } from './limiter-mutants.ts';
import type { Mutant } from './mutant.ts';
import { webhooksMutants } from './webhooks-mutants.ts';

/** Faults that were fixed once, and that the simulation must find again. */
export const mutants: readonly Mutant[] = [...clientMutants, ...limiterMutants, ...webhooksMutants];
