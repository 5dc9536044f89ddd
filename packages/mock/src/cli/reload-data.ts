import { planFault } from '../control/plan-fault.ts';
import type { Mock } from '../mock.ts';
import type { FaultsState } from '../world/faults/faults.ts';
import type { Snapshot } from '../world/snapshot.ts';
import { rebaseSnapshot } from '../world/snapshot.ts';
import { worldOf } from '../world/world.ts';
import { buildMock } from './build-mock.ts';
import type { Flags } from './parse-flags.ts';

/** What one version of the data file brought. */
interface Loaded {
  /** The ids of its faults. */
  readonly fileFaults: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Replaces the rows of a mock by those that the file of `--data` contains now, and the faults of its last version by those
 * of this one. Keys, other faults, endpoints and the log stay.
 *
 * @param start The state that a reset restores, which gets the new rows and faults too.
 * @param last The ids of the faults that the last version brought.
 * @throws {@link UsageError} When the file is invalid. The mock keeps its rows and faults.
 */
export const reloadData = async (
  mock: Mock,
  flags: Flags,
  start: Snapshot,
  last: readonly string[],
): Promise<Loaded> => {
  // With the same seed, rows without an id in the file get the ids that they would get at a restart.
  const { mock: fresh, filePlans, warnings } = await buildMock(flags, undefined);
  const [world, other] = [worldOf.get(mock), worldOf.get(fresh)];
  if (world === undefined || other === undefined) {
    return { fileFaults: last, warnings };
  }
  world.store.state = other.store.state;
  world.random.load(other.random.save());
  const fileFaults = filePlans.map((plan) => planFault(mock.faults, plan));
  const planned = mock.faults.planned.filter(({ id }) => fileFaults.includes(id));
  // First, as after a restart.
  const change = (faults: FaultsState): FaultsState => [
    ...planned,
    ...faults.filter(({ id }) => !last.includes(id) && !fileFaults.includes(id)),
  ];
  world.faults.load(change(world.faults.save()));
  rebaseSnapshot(world, start, change);
  world.watchers.happened('restored', undefined);
  // The clock of a new mock is later than its rows.
  if (flags.clock === 'virtual' && fresh.clock.now() > mock.clock.now()) {
    await mock.clock.set(fresh.clock.now());
  }
  await fresh.close();
  return { fileFaults, warnings };
};
