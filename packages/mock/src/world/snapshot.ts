import { invalidArgument } from '../errors/mock-error.ts';
import type { FaultsState } from './faults/faults.ts';
import type { KeysState } from './keys/keys.ts';
import type { LogState } from './log/log.ts';
import type { RandomState } from './store/random.ts';
import type { StoreState } from './store/store.ts';
import type { OutboxState } from './webhooks/outbox.ts';
import type { World } from './world.ts';
import { abortRequests } from './world.ts';

interface WorldState {
  readonly now: number;
  readonly random: RandomState;
  readonly chance: RandomState;
  readonly store: StoreState;
  readonly keys: KeysState;
  readonly faults: FaultsState;
  readonly outbox: OutboxState;
  readonly log: LogState;
}

declare const opaque: unique symbol;

/** The state of a mock at one moment. Only the mock that created it can restore it. */
export interface Snapshot {
  readonly [opaque]: true;
}

const states = new WeakMap<Snapshot, { readonly world: World; readonly state: WorldState }>();

/** Saves the state of a world. It shares its tables until the next change of one, so this copies no rows. */
export const takeSnapshot = (world: World): Snapshot => {
  const snapshot = Object.freeze({}) as Snapshot;
  const state: WorldState = {
    now: world.clock.now(),
    random: world.random.save(),
    chance: world.chance.save(),
    store: world.store.state,
    keys: world.keys.save(),
    faults: world.faults.save(),
    outbox: world.outbox.save(),
    log: world.log.save(),
  };
  states.set(snapshot, { world, state });
  return snapshot;
};

/** Changes the faults of a state. */
type ChangeFaults = (faults: FaultsState) => FaultsState;

/** Gives a snapshot the present rows of its world, and other faults, without changing the rest of its state. */
export const rebaseSnapshot = (world: World, snapshot: Snapshot, change: ChangeFaults): void => {
  const taken = states.get(snapshot);
  if (taken?.world === world) {
    const faults = change(taken.state.faults);
    const state = { ...taken.state, faults, store: world.store.state, random: world.random.save() };
    states.set(snapshot, { world, state });
  }
};

/**
 * Puts a world back to a snapshot.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when it is not a snapshot of this world.
 */
export const restoreSnapshot = (world: World, snapshot: Snapshot): void => {
  const taken = states.get(snapshot);
  if (taken?.world !== world) {
    throw invalidArgument('restore() must be called with a snapshot that this mock has taken');
  }
  const { state } = taken;
  abortRequests(world);
  world.clock.load(state.now);
  world.random.load(state.random);
  world.chance.load(state.chance);
  world.store.state = state.store;
  world.keys.load(state.keys);
  world.faults.load(state.faults);
  world.outbox.load(state.outbox);
  world.log.load(state.log);
  world.watchers.report('restored', undefined);
};
