import * as z from 'zod/mini';
import { OPERATION_IDS } from '../../checks/check-operation.ts';
import { NETWORK_FAULTS } from './fault.ts';

/** A fault as JSON. */
export const FaultSchema = z.strictObject({
  status: z.optional(z.int()),
  code: z.optional(z.string()),
  headers: z.optional(z.record(z.string(), z.string())),
  delayMs: z.optional(z.number()),
  network: z.optional(z.enum(NETWORK_FAULTS)),
  body: z.optional(z.unknown()),
  probability: z.optional(z.number()),
  skip: z.optional(z.int()).check(z.describe('How many requests pass before it takes effect.')),
});

export const FaultTargetSchema = z
  .string()
  .check(z.describe(`One of ${OPERATION_IDS.join(', ')}; or * for all requests.`));

/** A fault to plan, as requests and data files write it. */
export const FaultPlanSchema = z.strictObject({
  operation: FaultTargetSchema,
  fault: FaultSchema.check(z.describe('What goes wrong: an error response, a delay, a failing connection.')),
  once: z.optional(z.boolean()).check(z.describe('False plans it for all requests; true by default.')),
});
