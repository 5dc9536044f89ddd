import { createRandom } from '../support/random.ts';
import { createTimeline } from '../support/timeline.ts';
import type { Fault, Invariant } from './faults.ts';
import type { Settings } from './settings.ts';

/** Why a run failed. */
interface Violation {
  readonly invariant: Invariant;
  readonly message: string;
}

const START = Date.UTC(2026, 0, 1);

/** The time of the calm in milliseconds: no fault happens later, so that everything can still succeed. */
export const CALM_FROM = 120_000;

/** Creates the state that all parts of a run share. */
export const createSim = (seed: number, settings: Settings, fault: Partial<Fault> = {}) => {
  const timeline = createTimeline(START);
  const trace: string[] = [];
  let violation: Violation | undefined;
  /** Milliseconds since the start of the run. */
  const elapsed = (): number => timeline.now() - START;
  /** Adds a line to the trace. */
  const log = (text: string): void => void trace.push(`${elapsed()} ${text}`);
  return {
    seed,
    settings,
    fault,
    timeline,
    trace,
    elapsed,
    log,
    isCalm: () => elapsed() >= CALM_FROM,
    /** Plans something in `ms` milliseconds. */
    after: (ms: number, run: () => void): void => void timeline.after(ms, 'event', run),
    /** Plans something for a time in milliseconds from the start. */
    at: (ms: number, run: () => void): void => void timeline.after(ms - elapsed(), 'event', run),
    /** The random stream of one purpose. */
    random: (name: string) => createRandom(seed, name),
    /** Fails the run. Only the first violation counts. */
    fail(invariant: Invariant, message: string): void {
      if (violation === undefined) {
        violation = { invariant, message };
        log(`VIOLATION ${invariant}: ${message}`);
      }
    },
    get violation() {
      return violation;
    },
  };
};

export type Sim = ReturnType<typeof createSim>;
