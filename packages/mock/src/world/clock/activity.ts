import { nextTurn, realDelay } from './real-timers.ts';

/** After this many turns of the event loop without activity, everything is assumed to be waiting. */
const QUIET_TURNS = 4;

/** Milliseconds of real time between two looks at the activity. */
const STEP = 5;

/** Detects that nothing happens that the clock can see. */
export class Activity {
  /** Counts everything that happens. */
  count = 0;

  /**
   * Resolves to whether nothing happens for `ms` milliseconds of real time and a few turns of the event loop. The time
   * passes in short steps, so that activity is noticed soon, and a suspended machine counts as one step.
   */
  async staysQuiet(ms = 0): Promise<boolean> {
    const before = this.count;
    for (let waited = 0; waited < ms && this.count === before; waited += STEP) {
      await realDelay(STEP);
    }
    for (let passed = 0; passed < QUIET_TURNS && this.count === before; passed += 1) {
      await nextTurn();
    }
    return this.count === before;
  }
}
