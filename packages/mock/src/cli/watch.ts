import { unwatchFile, watchFile } from 'node:fs';
import { pluralize } from '../errors/check.ts';
import { moveClockPastRows } from '../world/create-world.ts';
import type { Snapshot } from '../world/snapshot.ts';
import { rebaseSnapshot } from '../world/snapshot.ts';
import type { BuiltMock } from './build-mock.ts';
import { buildMock } from './build-mock.ts';
import { readMessage } from './files.ts';
import type { Flags } from './flags.ts';
import type { Io } from './io.ts';

/** Milliseconds between two checks of the file. File system events would miss changes in containers. */
const INTERVAL = 100;

/** Milliseconds from a change to the next load: many editors delete or empty a file before they write it. */
const DELAY = 200;

/**
 * Loads the file of `--data` again whenever it has changed, until the returned function is called. Its rows replace all
 * rows, and its faults replace those of its last version; a reset restores the new ones. Keys, other faults, endpoints and
 * the log stay.
 *
 * @param start The state that a reset restores.
 */
export const watchData = (built: BuiltMock, start: Snapshot, flags: Flags, io: Io): (() => void) => {
  const { mock, world } = built;
  const { data: path, quiet } = flags;
  let timer: NodeJS.Timeout | undefined;

  const load = async (): Promise<void> => {
    // With the same seed, rows without an id in the file get the ids that they would get at a restart.
    const fresh = await buildMock(flags);
    world.store.load(fresh.world.store.save());
    world.random.load(fresh.world.random.save());
    world.faults.replaceFromData(fresh.world.faults.planned);
    rebaseSnapshot(world, start);
    world.watchers.report('restored', undefined);
    moveClockPastRows(world);
    fresh.warnings.forEach(io.warn);
    if (!quiet) {
      io.print(`Loaded ${path} again: it has ${pluralize(mock.leads.count(), 'lead')}.\n`);
    }
  };
  const loadSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      load().catch((error: unknown) => io.warn(`The mock keeps its rows: ${readMessage(error)}`));
    }, DELAY).unref();
  };
  watchFile(path, { interval: INTERVAL, persistent: false }, loadSoon);
  return () => {
    clearTimeout(timer);
    unwatchFile(path, loadSoon);
  };
};
