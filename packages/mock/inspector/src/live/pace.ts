/** The minimum number of milliseconds between the end of a load and the next one. */
const MIN_PAUSE = 500;

/** The maximum, however long a load takes. */
const MAX_PAUSE = 2_000;

/** How many times as long as a load the pause after it is, so that loads take up about a fifth of the time. */
const PAUSE_RATIO = 4;

/** Loads something again and again. */
export interface Pace {
  /** Something has changed: loads at once after a quiet time, and otherwise once the pause has ended. */
  changed(): void;
  /** It may be visible again: loads what has changed meanwhile. */
  resume(): void;
}

interface PaceOptions {
  /** Loads and shows something, and never rejects. */
  readonly load: () => Promise<void>;
  /** Whether it is on the screen. */
  readonly isVisible: () => boolean;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/**
 * Loads at once, and then whenever something has changed: never twice at the same time, about twice a second at most, and
 * less often if loading takes long. While it is hidden, changes wait for `resume`.
 */
export const startPace = ({ load, isVisible, signal }: PaceOptions): Pace => {
  let busy = false;
  let again = false;

  const run = async (): Promise<void> => {
    [busy, again] = [true, false];
    const began = performance.now();
    await load();
    // Whatever the load shows is rendered before the next timer.
    setTimeout(() => {
      const took = performance.now() - began;
      const pause = Math.min(Math.max(PAUSE_RATIO * took, MIN_PAUSE), MAX_PAUSE);
      setTimeout(() => {
        busy = false;
        next();
      }, pause);
    });
  };
  const next = (): void => {
    if (again && !busy && !signal.aborted && isVisible()) {
      void run();
    }
  };

  void run();
  return {
    changed() {
      again = true;
      next();
    },
    resume: next,
  };
};
