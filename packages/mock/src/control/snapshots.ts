import { invalidArgument } from '../errors/mock-error.ts';
import type { Mock } from '../mock.ts';
import type { Snapshot } from '../world/snapshot.ts';

/** A snapshot keeps every row that it had in memory, and callers forget to delete them. */
const MOST = 100;

/** A snapshot as callers see it. */
export interface ListedSnapshot {
  readonly id: string;
  /** When it was taken: an RFC 3339 date-time on the mock's clock. */
  readonly takenAt: string;
}

/** The snapshots of one mock that remote callers have taken, by id. */
export class Snapshots {
  readonly #kept = new Map<string, { readonly snapshot: Snapshot; readonly takenAt: string }>();
  #taken = 0;

  list(): readonly ListedSnapshot[] {
    return [...this.#kept].map(([id, { takenAt }]) => ({ id, takenAt }));
  }

  /** @throws {@link MockError} `INVALID_ARGUMENT`, when there are too many. */
  take(mock: Mock): ListedSnapshot {
    if (this.#kept.size >= MOST) {
      throw invalidArgument(
        `The server already keeps ${MOST} snapshots of this mock. Delete one first: DELETE /__mock/snapshots/{id}.`,
      );
    }
    this.#taken += 1;
    const id = `snapshot_${this.#taken}`;
    const takenAt = new Date(mock.clock.now()).toISOString();
    this.#kept.set(id, { snapshot: mock.snapshot(), takenAt });
    return { id, takenAt };
  }

  get(id: string): Snapshot | undefined {
    return this.#kept.get(id)?.snapshot;
  }

  delete(id: string): boolean {
    return this.#kept.delete(id);
  }
}
