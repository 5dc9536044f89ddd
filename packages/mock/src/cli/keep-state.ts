import type { Mock } from '../mock.ts';
import type { StoreState } from '../world/store/store.ts';
import { worldOf } from '../world-of.ts';
import { reasonOf } from './rows-file.ts';
import type { StateFile } from './state-file.ts';

/** Milliseconds between two looks at whether anything has changed: a process that is killed loses no more. */
const EVERY = 250;

/** With so many rows that saving takes long, no more than a fifth of the time goes by in it. */
const PAUSE_PER_MS = 4;

/** Tables never change: another one is a change. */
const differs = (a: StoreState, b: StoreState): boolean =>
  (Object.keys(a) as (keyof StoreState)[]).some((name) => a[name] !== b[name]);

/** What saves the rows of a mock. */
export interface StateKeeper {
  /** Saves for the last time, and lets go of the file. */
  end(): void;
}

/**
 * Saves the rows of a mock soon after they have changed.
 *
 * @param warn Told when saving begins to fail; it is tried again all the same.
 */
export const keepState = (mock: Mock, file: StateFile, warn: (text: string) => void): StateKeeper => {
  const stateNow = () => worldOf.get(mock)?.store.state;
  let saved = stateNow();
  let failing = false;
  let timer: NodeJS.Timeout;

  const saveChanges = (): void => {
    const state = stateNow();
    if (saved === undefined || state === undefined || !differs(saved, state)) {
      return;
    }
    file.save(mock.dump());
    saved = state;
  };
  const look = (): void => {
    const began = performance.now();
    try {
      file.lock.refresh();
      saveChanges();
      failing = false;
    } catch (error) {
      if (!failing) {
        warn(`The state can't be saved, and will be tried again: ${reasonOf(error)}`);
      }
      failing = true;
    }
    lookIn(Math.max(EVERY, (performance.now() - began) * PAUSE_PER_MS));
  };
  const lookIn = (ms: number): void => {
    timer = setTimeout(look, ms).unref();
  };
  lookIn(EVERY);
  return {
    end() {
      clearTimeout(timer);
      try {
        file.save(mock.dump());
      } finally {
        file.lock.release();
      }
    },
  };
};
