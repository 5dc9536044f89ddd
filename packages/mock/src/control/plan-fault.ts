import type * as z from 'zod/mini';
import type { Fault, FaultPlanSchema, FaultTarget } from '../world/faults/fault.ts';
import type { Faults } from '../world/faults/faults.ts';

/** A fault to plan, as requests and data files write it. */
export type FaultPlan = z.infer<typeof FaultPlanSchema>;

/**
 * Plans a fault that was written as JSON, and returns its id.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when the operation is unknown or the fault invalid.
 */
export const planFault = (
  faults: Pick<Faults, 'once' | 'always'>,
  { operation, fault, once }: FaultPlan,
): string => {
  // The faults check both.
  const [target, planned] = [operation as FaultTarget, fault as Fault];
  return once === false ? faults.always(target, planned) : faults.once(target, planned);
};
