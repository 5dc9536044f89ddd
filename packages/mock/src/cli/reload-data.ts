import type { Mock } from '../mock.ts';
import type { Snapshot } from '../world/snapshot.ts';
import { rebaseSnapshot } from '../world/snapshot.ts';
import { worldOf } from '../world-of.ts';
import { buildMock } from './build-mock.ts';
import type { Flags } from './parse-flags.ts';

/**
 * Replaces the rows of a mock by those that the file of `--data` contains now. Keys, faults, endpoints and the log stay.
 *
 * @param start The state that a reset restores, which gets the new rows too.
 * @throws {@link UsageError} When the file is invalid. The mock keeps its rows.
 */
export const reloadData = async (mock: Mock, flags: Flags, start: Snapshot): Promise<void> => {
  // With the same seed, rows without an id in the file get the ids that they would get at a restart.
  const { mock: fresh } = await buildMock(flags, undefined);
  const [world, other] = [worldOf.get(mock), worldOf.get(fresh)];
  if (world === undefined || other === undefined) {
    return;
  }
  world.store.state = other.store.state;
  world.random.load(other.random.save());
  rebaseSnapshot(world, start);
  world.watchers.happened('restored', undefined);
  // The clock of a new mock is later than its rows.
  if (flags.clock === 'virtual' && fresh.clock.now() > mock.clock.now()) {
    await mock.clock.set(fresh.clock.now());
  }
  await fresh.close();
};
