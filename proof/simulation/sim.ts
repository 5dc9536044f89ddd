import type { Random } from './clock/random.ts';
import { createRandom } from './clock/random.ts';
import type { Timeline } from './clock/timeline.ts';
import { createTimeline } from './clock/timeline.ts';
import type { Scenario } from './scenario/scenario.ts';

/** Why a run failed. */
export interface Violation {
  /** The name of the invariant. */
  readonly invariant: Invariant;
  readonly message: string;
}

/** What must hold in every run, with a sentence for each. */
export const INVARIANTS = {
  'write-once':
    'No write that is not idempotent is sent again unasked, unless the service refused it with a 429.',
  'retry-limit': 'No call is repeated more often than its retry policy allows.',
  'retry-after': 'No request is sent before a `Retry-After` has ended.',
  window: 'No more requests are sent in a window than the pace of the client, or of the fleet, promises.',
  concurrency: 'No client has more requests in flight than its `concurrency`.',
  order: 'The calls of a client start in the order in which they were made.',
  deadline: 'No call sends or waits after its deadline.',
  visits: 'A walk through a list returns every row that stays exactly once.',
  rotation: 'A rotation of keys or secrets fails no call and no delivery.',
  delivered: 'Every genuine delivery is handled in the end.',
  forged: 'No forged, altered or stale delivery is handled or accepted.',
  'handled-once': 'No delivery is handled twice.',
  settled: 'No promise is left unsettled, and no timer or listener is left behind.',
  expected: 'Calls fail only with the errors that the documentation names.',
} as const;

type Invariant = keyof typeof INVARIANTS;

/** What all parts of a run share. */
export interface Sim {
  readonly scenario: Scenario;
  readonly timeline: Timeline;
  /** Milliseconds since the start of the run. */
  elapsed(): number;
  /** The random stream of one purpose. */
  random(name: string): Random;
  /** Adds a line to the trace. */
  log(text: string): void;
  /** Fails the run. Only the first violation counts. */
  fail(invariant: Invariant, message: string): void;
  readonly violation: Violation | undefined;
  readonly trace: readonly string[];
}

const START = Date.UTC(2026, 0, 1);

/** Creates the shared parts of a run. */
export const createSim = (scenario: Scenario): Sim => {
  const timeline = createTimeline(START);
  const trace: string[] = [];
  let violation: Violation | undefined;
  const sim: Sim = {
    scenario,
    timeline,
    elapsed: () => timeline.now() - START,
    random: (name) => createRandom(scenario.seed, name),
    log(text) {
      trace.push(`${sim.elapsed()} ${text}`);
    },
    fail(invariant, message) {
      if (violation === undefined) {
        violation = { invariant, message };
        sim.log(`VIOLATION ${invariant}: ${message}`);
      }
    },
    get violation() {
      return violation;
    },
    trace,
  };
  return sim;
};
