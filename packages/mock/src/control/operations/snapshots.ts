import * as z from 'zod/mini';
import { notFound } from '../../errors/refusal.ts';
import type { ControlOperation } from '../control-operation.ts';
import { controlOperation } from '../control-operation.ts';
import { DELETED, MomentSchema, SnapshotSchema } from '../schemas.ts';

const unknownSnapshot = (id: string) => notFound(`No snapshot has the id ${id}`);

/** Saved states. */
export const snapshots: readonly ControlOperation[] = [
  controlOperation('snapshots.list', {
    summary: 'Lists the snapshots that were taken and not deleted.',
    data: z.array(SnapshotSchema),
    run: (context) => ({ data: context.snapshots.list() }),
  }),
  controlOperation('snapshots.take', {
    summary: 'Saves the state of the mock. This costs the same for any number of rows.',
    data: SnapshotSchema,
    status: 201,
    run: (context) => ({ data: context.snapshots.take(context.mock) }),
  }),
  controlOperation('snapshots.restore', {
    summary: 'Restores a snapshot, and abandons the requests and deliveries that are under way.',
    data: MomentSchema,
    run(context, { params }) {
      const snapshot = context.snapshots.get(params.id);
      if (snapshot === undefined) {
        throw unknownSnapshot(params.id);
      }
      context.mock.restore(snapshot);
      return { data: { now: new Date(context.mock.clock.now()).toISOString() } };
    },
  }),
  controlOperation('snapshots.delete', {
    summary: 'Deletes a snapshot.',
    data: DELETED,
    run(context, { params }) {
      if (!context.snapshots.delete(params.id)) {
        throw unknownSnapshot(params.id);
      }
      return { data: { deleted: true } };
    },
  }),
];
