import { invalidArgument } from '../errors/mock-error.ts';
import type { World } from './world.ts';
import { abortRequests } from './world.ts';

/** The parts of a world that a snapshot saves. It also saves the time. */
const PARTS = ['random', 'networkRandom', 'store', 'keys', 'faults', 'outbox', 'log'] as const;

type Part = (typeof PARTS)[number];

type WorldState = { readonly [Name in Part]: ReturnType<World[Name]['save']> } & { readonly now: number };

declare const opaque: unique symbol;

/** The state of a mock at one moment. Only the mock that created it can restore it. */
export interface Snapshot {
  readonly [opaque]: true;
}

const states = new WeakMap<Snapshot, { readonly world: World; readonly state: WorldState }>();

/** Saves the state of a world. The snapshot and the world share each table until its next change, so no rows are copied. */
export const takeSnapshot = (world: World): Snapshot => {
  const snapshot = Object.freeze({}) as Snapshot;
  const saved = Object.fromEntries(PARTS.map((name) => [name, world[name].save()]));
  states.set(snapshot, { world, state: { ...saved, now: world.clock.now() } as WorldState });
  return snapshot;
};

/** Replaces the rows and the data's faults in a snapshot with the current ones of its world, and keeps the rest. */
export const rebaseSnapshot = (world: World, snapshot: Snapshot): void => {
  const taken = states.get(snapshot);
  if (taken?.world === world) {
    const planned = [
      ...taken.state.faults.planned.filter(({ fromData }) => !fromData),
      ...world.faults.planned.filter(({ fromData }) => fromData),
    ];
    const { store, random } = world;
    const state = {
      ...taken.state,
      faults: { planned, usedUp: [] },
      store: store.save(),
      random: random.save(),
    };
    states.set(snapshot, { world, state });
  }
};

/**
 * Restores a snapshot of a world.
 *
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when it is not a snapshot of this world.
 */
export const restoreSnapshot = (world: World, snapshot: Snapshot): void => {
  const taken = states.get(snapshot);
  if (taken?.world !== world) {
    throw invalidArgument('restore() must be called with a snapshot that this mock has taken.');
  }
  const { state } = taken;
  abortRequests(world);
  world.clock.load(state.now);
  for (const name of PARTS) {
    const part: { load(state: unknown): void } = world[name];
    part.load(state[name]);
  }
  world.watchers.report('restored', undefined);
};
