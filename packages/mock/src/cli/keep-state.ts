import type { Mock } from '../mock.ts';
import type { StoreState } from '../world/store/store.ts';
import { worldOf } from '../world-of.ts';
import { reasonOf } from './rows-file.ts';
import type { StateFile } from './state-file.ts';

/** Milliseconds between two checks for changes. A killed process loses no more than these. */
const EVERY = 250;

/** With many rows, saving takes at most a fifth of the time. */
const PAUSE_PER_MS = 4;

/** Tables are immutable, so a different table is a change. */
const differs = (a: StoreState, b: StoreState): boolean =>
  (Object.keys(a) as (keyof StoreState)[]).some((name) => a[name] !== b[name]);

/** Saves the rows of a mock. */
export interface StateKeeper {
  /** Saves for the last time, and releases the file. */
  end(): void;
}

/**
 * Saves the rows of a mock soon after they have changed.
 *
 * @param warn Called when saving starts to fail. It is retried anyway.
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
        warn(`Can't save the state (will retry): ${reasonOf(error)}`);
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
