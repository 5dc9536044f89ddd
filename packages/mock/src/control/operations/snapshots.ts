import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { invalidArgument } from '../../errors/mock-error.ts';
import type { ControlOperation } from '../operation.ts';
import { controlOperation } from '../operation.ts';
import { DELETED, deleted, existing, NowSchema } from '../schemas.ts';
import { nowOf } from './clock.ts';

/** A snapshot keeps every row that it had in memory, and callers forget to delete them. */
const MAX_SNAPSHOTS = 100;

const SnapshotSchema = z.strictObject({ id: z.string(), takenAt: z.string() });

const unknown = (id: string): string => `No snapshot has the id ${id}`;

/** Saved states. */
export const snapshots: readonly ControlOperation[] = [
  controlOperation('snapshots.list', {
    summary: 'Lists the snapshots that were taken and not deleted.',
    data: z.array(SnapshotSchema),
    run: (context) => [...context.snapshots].map(([id, { takenAt }]) => ({ id, takenAt })),
  }),
  controlOperation('snapshots.take', {
    summary: 'Saves the state of the mock. This costs the same for any number of rows.',
    data: SnapshotSchema,
    status: 201,
    run({ mock, snapshots }) {
      if (snapshots.size >= MAX_SNAPSHOTS) {
        throw invalidArgument(
          `The server already keeps ${MAX_SNAPSHOTS} snapshots of this mock. Delete one first: DELETE /__mock/snapshots/{id}.`,
        );
      }
      const id = randomBytes(8).toString('hex');
      const takenAt = nowOf({ mock }).now;
      snapshots.set(id, { snapshot: mock.snapshot(), takenAt });
      return { id, takenAt };
    },
  }),
  controlOperation('snapshots.restore', {
    summary: 'Restores a snapshot, and abandons the requests and deliveries that are under way.',
    data: NowSchema,
    run({ mock, snapshots }, { params: { id } }) {
      mock.restore(existing(snapshots.get(id), unknown(id)).snapshot);
      return nowOf({ mock });
    },
  }),
  controlOperation('snapshots.delete', {
    summary: 'Deletes a snapshot.',
    data: DELETED,
    run: (context, { params: { id } }) => deleted(context.snapshots.delete(id), unknown(id)),
  }),
];
