import type { Mock } from '../mock.ts';
import type { StoreState } from '../world/store/store.ts';
import { worldOf } from '../world/world.ts';
import type { Keeper } from './keep-saving.ts';
import { keepSaving } from './keep-saving.ts';
import type { StateFile } from './state-file.ts';

/** Tables are immutable, so a different table is a change. */
const differs = (a: StoreState, b: StoreState): boolean =>
  (Object.keys(a) as (keyof StoreState)[]).some((name) => a[name] !== b[name]);

/**
 * Saves the rows of a mock soon after they have changed.
 *
 * @param warn Called when saving starts to fail. It is retried anyway.
 */
export const keepState = (mock: Mock, file: StateFile, warn: (text: string) => void): Keeper => {
  const stateNow = () => worldOf.get(mock)?.store.state;
  let saved = stateNow();
  return keepSaving({
    lock: file.lock,
    warn,
    saveChanges() {
      const state = stateNow();
      if (saved !== undefined && state !== undefined && differs(saved, state)) {
        file.save(mock.dump());
        saved = state;
      }
    },
    saveAll: () => file.save(mock.dump()),
  });
};
