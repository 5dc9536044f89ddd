import { statSync } from 'node:fs';
import { counted } from '../errors/check.ts';
import type { Mock } from '../mock.ts';
import type { FaultsState } from '../world/faults/faults.ts';
import { planFault } from '../world/faults/faults.ts';
import type { Snapshot } from '../world/snapshot.ts';
import { rebaseSnapshot } from '../world/snapshot.ts';
import { worldOf } from '../world/world.ts';
import { buildMock } from './build-mock.ts';
import { reasonOf } from './files.ts';
import type { Flags } from './flags.ts';
import type { Io } from './io.ts';

/** Milliseconds between two looks at the file. Unlike events of the system, looks also notice changes in containers. */
const CHECK_INTERVAL = 100;

/** Looks without the file before that is reported: many editors delete or empty a file before they write it. */
const MISSING_LOOKS = 3;

/** Tells versions of a file apart; `undefined` if it is missing or empty. */
export const versionOf = (path: string): string | undefined => {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && stats.size > 0n
    ? [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ')
    : undefined;
};

/** A mock whose data file is watched. */
interface Watched {
  readonly mock: Mock;
  /** The version of the file that was loaded, taken before it was read. */
  readonly loaded: string | undefined;
  /** The ids of the faults that it brought. */
  readonly fileFaults: readonly string[];
  /** The state that a reset restores. */
  readonly start: Snapshot;
}

/**
 * Replaces the rows of a mock by those that the file of `--data` contains now, and the faults of its last version by those
 * of this one, also in what a reset restores. Keys, other faults, endpoints and the log stay. Returns the ids of the new
 * faults.
 *
 * @throws {@link UsageError} When the file is invalid. The mock keeps its rows and faults.
 */
const reload = async ({ mock, start, fileFaults: last }: Watched, flags: Flags, { warn }: Io) => {
  // With the same seed, rows without an id in the file get the ids that they would get at a restart.
  const { mock: fresh, filePlans, warnings } = await buildMock(flags);
  const [world, other] = [worldOf.get(mock), worldOf.get(fresh)];
  if (world === undefined || other === undefined) {
    return last;
  }
  world.store.load(other.store.save());
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
  world.watchers.report('restored', undefined);
  // The clock of a new mock is later than its rows.
  if (flags.clock === 'virtual' && fresh.clock.now() > mock.clock.now()) {
    await mock.clock.set(fresh.clock.now());
  }
  await fresh.close();
  warnings.forEach(warn);
  return fileFaults;
};

/** Loads the file of `--data` again whenever it has changed, until the returned function is called. */
export const watchData = (watched: Watched, flags: Flags, io: Io): (() => void) => {
  const { mock } = watched;
  const { data: path, quiet } = flags;
  let { loaded, fileFaults } = watched;
  let missing = 0;
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;

  const warnRowsKept = (reason: string) => io.warn(`The mock keeps its rows: ${reason}`);
  const look = async (): Promise<void> => {
    const version = versionOf(path);
    missing = version === undefined ? missing + 1 : 0;
    if (missing === MISSING_LOOKS) {
      loaded = undefined;
      warnRowsKept(`${path} is missing or empty. Its rows are loaded once it is there again.`);
    }
    if (version === undefined || version === loaded) {
      return;
    }
    // Set before the file is read: if it changes meanwhile, the next look loads it once more.
    loaded = version;
    fileFaults = await reload({ ...watched, fileFaults }, flags, io);
    if (!quiet) {
      io.print(`Loaded ${path} again: it has ${counted(mock.leads.count(), 'lead')}.\n`);
    }
  };
  const lookLater = (): void => {
    timer = setTimeout(async () => {
      await look().catch((error: unknown) => warnRowsKept(reasonOf(error)));
      if (!hasEnded) {
        lookLater();
      }
    }, CHECK_INTERVAL).unref();
  };
  lookLater();
  return () => {
    hasEnded = true;
    clearTimeout(timer);
  };
};
