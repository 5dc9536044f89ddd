import type { Timeline } from '../timeline/timeline.ts';
import { createTimeline } from '../timeline/timeline.ts';
import type { Random } from './clock/random.ts';
import { createRandom } from './clock/random.ts';
import type { Scenario } from './scenario/scenario.ts';

/** Why a run failed. */
export interface Violation {
  /** The name of the invariant. */
  readonly invariant: Invariant;
  readonly message: string;
}

/** What must hold in every run: exactly what is checked, with its exceptions. */
export const INVARIANTS = {
  'write-once':
    'No write that is not idempotent is sent again unasked, unless the service refused it with a 429.',
  'retry-limit':
    'No call is repeated more often than its retry policy allows. Repeats after a 429 do not count, unless retries are off.',
  'retry-after':
    'No call is repeated before its `Retry-After` has ended. After a 429, the client sends nothing at all until then, for an hour at most.',
  window:
    'No more requests are sent in a window than the pace of the client, or of the fleet, promises; 429s do not count. A learned limit holds for the window of the service, which the client does not know. It is not checked while the `apiKey` function is slow, nor the limit of a fleet as a whole once its store has failed and each process may use the limit on its own.',
  concurrency: 'No client has more requests in flight than its `concurrency`.',
  order:
    'The calls of a client start in the order in which they were made. Clients whose `apiKey` function is slow or hangs are not checked.',
  deadline: 'No call sends or waits after its deadline.',
  visits:
    'A walk through a list returns every row that stays exactly once; from its offset on, if it starts at one. No walk fails because it finds fault with a whole response.',
  rotation:
    'A rotation of keys fails no call. That a rotation of secrets loses no delivery is part of `delivered`.',
  delivered:
    'Every genuine delivery is handled in the end, which means that all its handlers succeed in the same run.',
  forged:
    'No forged or altered delivery is handled or accepted, and no stale one if the scheme signs the time. If it signs no id, an attacker may repeat a genuine delivery under another id.',
  'handled-once':
    'No delivery is handled twice by all its handlers, unless the process that handled it crashed or lost the dedupe store before that was recorded.',
  settled:
    'At the end, no call, request, delivery or job is open. No timer is left then, and no timer, abort listener or queued call while a client is idle; only the clients of a fleet may still wait for their store.',
  expected:
    'A call fails only with the reason of its abort or with a `ConfabError`, but never with an `InvalidRequestError`, and with a `ConfigurationError` only if its `apiKey` function hangs. A job fails only with a `WebhookError`, but never with `INVALID_EVENT`. The service and the receivers never throw.',
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
