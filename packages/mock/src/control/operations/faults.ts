import * as z from 'zod/mini';
import { notFound } from '../../errors/refusal.ts';
import { FaultPlanSchema } from '../../world/faults/fault.ts';
import type { ControlOperation } from '../control-operation.ts';
import { controlOperation } from '../control-operation.ts';
import { planFault } from '../plan-fault.ts';
import { DELETED, NOTHING, PlannedFaultSchema } from '../schemas.ts';

/** What goes wrong with requests. */
export const faults: readonly ControlOperation[] = [
  controlOperation('faults.list', {
    summary: 'Lists the planned faults.',
    data: z.array(PlannedFaultSchema),
    run: ({ mock }) => ({
      data: mock.faults.planned.map(({ fault, ...planned }) => ({
        ...planned,
        fault: typeof fault === 'function' ? null : fault,
      })),
    }),
  }),
  controlOperation('faults.plan', {
    summary: 'Plans a fault for the next request of an operation, or for all of them.',
    body: FaultPlanSchema,
    data: z.strictObject({ id: z.string() }),
    run({ mock }, { body }) {
      return { data: { id: planFault(mock.faults, body) } };
    },
  }),
  controlOperation('faults.remove', {
    summary: 'Removes a planned fault.',
    data: DELETED,
    run({ mock }, { params }) {
      if (!mock.faults.remove(params.id)) {
        throw notFound(`No planned fault has the id ${params.id}. It may have been used already.`);
      }
      return { data: { deleted: true } };
    },
  }),
  controlOperation('faults.clear', {
    summary: 'Removes all planned faults.',
    data: NOTHING,
    run({ mock }) {
      mock.faults.clear();
      return { data: {} };
    },
  }),
];
