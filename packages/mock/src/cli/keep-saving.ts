import type { Lock } from './lock-file.ts';
import { reasonOf } from './read-file.ts';

/** Milliseconds between two checks for changes. A killed process loses no more than these. */
const EVERY = 250;

/** With much data, saving takes at most a fifth of the time. */
const PAUSE_PER_MS = 4;

interface KeepSavingOptions {
  readonly lock: Lock;
  /** Saves what has changed since the last call, if anything has. */
  readonly saveChanges: () => void;
  /** Saves everything, when the command ends. */
  readonly saveAll: () => void;
  /** Called when saving starts to fail. It is retried anyway. */
  readonly warn: (text: string) => void;
}

/** Saves data as it changes. */
export interface Keeper {
  /** Saves for the last time, and releases the file. */
  end(): void;
}

/** Saves data soon after it has changed. */
export const keepSaving = ({ lock, saveChanges, saveAll, warn }: KeepSavingOptions): Keeper => {
  let failing = false;
  let timer: NodeJS.Timeout;

  const look = (): void => {
    const began = performance.now();
    try {
      lock.refresh();
      saveChanges();
      failing = false;
    } catch (error) {
      if (!failing) {
        warn(`${reasonOf(error)}. This will be retried.`);
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
        saveAll();
      } finally {
        lock.release();
      }
    },
  };
};
