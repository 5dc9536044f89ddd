import { nextTurn, realDelay } from './timers.ts';

/** Turns of the event loop without activity after which everything is assumed to wait. */
const QUIET_TURNS = 4;

/** Real milliseconds of one step of a longer quiet. */
const STEP = 5;

/** Detects quiet: that nothing happens which the clock can see. */
export class Activity {
  /** Counts everything that happens. */
  count = 0;

  /**
   * Resolves to whether it is quiet for a few turns of the event loop, after some milliseconds of real time. They pass in
   * short steps, to notice activity soon, and so that a pause of the machine counts as one step only.
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
