import * as z from 'zod/mini';
import { FaultPlanSchema, FaultSchema, FaultTargetSchema } from '../../world/faults/fault.ts';
import { planFault } from '../../world/faults/faults.ts';
import type { ControlOperation } from '../operation.ts';
import { controlOperation } from '../operation.ts';
import { DELETED, deleted, described } from '../schemas.ts';

/** Plans and lists what goes wrong with requests. */
export const faults: readonly ControlOperation[] = [
  controlOperation('faults.list', {
    summary: 'Lists the planned faults.',
    data: z.array(
      z.strictObject({
        id: z.string(),
        operation: FaultTargetSchema,
        fault: described(
          z.nullable(FaultSchema),
          "The fault, or null if a function in the mock's process decides it.",
        ),
        once: z.boolean(),
      }),
    ),
    run: ({ mock }) =>
      mock.faults.planned.map(({ fault, ...planned }) => ({
        ...planned,
        fault: typeof fault === 'function' ? null : fault,
      })),
  }),
  controlOperation('faults.plan', {
    summary: 'Plans a fault for the next request of an operation, or for all of them.',
    body: FaultPlanSchema,
    data: z.strictObject({ id: z.string() }),
    run: ({ mock }, { body }) => ({ id: planFault(mock.faults, body) }),
  }),
  controlOperation('faults.remove', {
    summary: 'Removes a planned fault.',
    data: DELETED,
    run: ({ mock }, { params: { id } }) =>
      deleted(mock.faults.remove(id), `No planned fault has the id ${id}. It may have been used already.`),
  }),
  controlOperation('faults.clear', {
    summary: 'Removes all planned faults.',
    run: ({ mock }) => mock.faults.clear(),
  }),
];
