/** The minimum pause between two loads, in milliseconds. */
const MIN_PAUSE = 500;

/** The maximum pause between two loads, in milliseconds. */
const MAX_PAUSE = 2_000;

/** The length of a pause relative to the load before it, so that loads take up about a fifth of the time. */
const PAUSE_RATIO = 4;

/** Decides when to load again. */
export interface Pace {
  /** Call it when something has changed: loads at once after a quiet period, otherwise after the pause. */
  changed(): void;
  /** Call it when the view may be visible again: loads if something has changed meanwhile. */
  resume(): void;
}

interface PaceOptions {
  /** Loads and shows the value. Never rejects. */
  readonly load: () => Promise<void>;
  /** Whether the value is on the screen. */
  readonly isVisible: () => boolean;
  /** Ends the loading. */
  readonly signal: AbortSignal;
}

/**
 * Loads at once, and then whenever something has changed: never twice at the same time, about twice a second at most, and
 * less often if loading takes long. While the value is hidden, changes wait for `resume`.
 */
export const startPace = ({ load, isVisible, signal }: PaceOptions): Pace => {
  let busy = false;
  let again = false;

  const run = async (): Promise<void> => {
    [busy, again] = [true, false];
    const began = performance.now();
    await load();
    // By the time of the next timer, the result is rendered.
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
